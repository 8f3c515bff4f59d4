#version 450
// Plain diffuse light from the sky, from one side and from the viewer: no tables, no shadows, one pass.
layout(set = 0, binding = 0) uniform CameraBuffer {
  mat4 viewMatrix;
  mat4 projectionMatrix;
  mat4 viewMatrixInverse;
  mat4 projectionMatrixInverse;
  float width;
  float height;
} cameraBuffer;

layout(set = 1, binding = 0) uniform ObjectTransformBuffer {
  mat4 modelMatrix;
} objectTransformBuffer;

layout(set = 1, binding = 1) uniform ObjectDataBuffer {
  uvec4 segmentation;
  float transparency;
  int shadeFlat;
} objectDataBuffer;

layout(set = 2, binding = 0) uniform MaterialBuffer {
  vec4 emission;
  vec4 baseColor;
  float fresnel;
  float roughness;
  float metallic;
  float transmission;
  float ior;
  float transmissionRoughness;
  int textureMask;
  int padding1;
  vec4 textureTransforms[6];
} materialBuffer;

layout(set = 2, binding = 1) uniform sampler2D colorTexture;
layout(set = 2, binding = 2) uniform sampler2D roughnessTexture;
layout(set = 2, binding = 3) uniform sampler2D normalTexture;
layout(set = 2, binding = 4) uniform sampler2D metallicTexture;
layout(set = 2, binding = 5) uniform sampler2D emissionTexture;

struct PointLight { vec4 position; vec4 emission; };
struct DirectionalLight { vec4 direction; vec4 emission; };
struct SpotLight { vec4 position; vec4 direction; vec4 emission; };

layout(set = 3, binding = 0) uniform SceneBuffer {
  vec4 ambientLight;
  DirectionalLight directionalLights[3];
  SpotLight spotLights[10];
  PointLight pointLights[10];
  SpotLight texturedLights[1];
} sceneBuffer;

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec2 inUV;
layout(location = 2) in flat uvec4 inSeg;
layout(location = 3) in vec3 inNormal;
layout(location = 4) in vec3 inWorld;

layout(location = 0) out vec4 outColor;
layout(location = 1) out vec4 outPosition;
layout(location = 2) out uvec4 outSegmentation;

const vec3 GROUND = vec3(0.24, 0.22, 0.21);
const vec3 SKY = vec3(0.50, 0.51, 0.54);
const vec3 LAMP = vec3(0.497, -0.348, 0.795);

void main() {
  outPosition = inPosition;
  outSegmentation = inSeg;
  vec3 albedo = (materialBuffer.textureMask & 1) != 0 ? texture(colorTexture, inUV).rgb : materialBuffer.baseColor.rgb;
  vec3 toViewer = normalize(cameraBuffer.viewMatrixInverse[3].xyz - inWorld);
  // Meshes without normals get the plane of the pixel; faces seen from behind are lit like their front.
  vec3 normal = dot(inNormal, inNormal) > 1e-12 ? normalize(inNormal) : normalize(cross(dFdx(inWorld), dFdy(inWorld)));
  if (dot(normal, toViewer) < 0) normal = -normal;
  vec3 light = mix(GROUND, SKY, 0.5 + 0.5 * normal.z);
  light += 0.42 * max(dot(normal, LAMP), 0) + 0.12 * max(dot(normal, toViewer), 0);
  vec3 shown = albedo * light + materialBuffer.emission.rgb;
  outColor = vec4(pow(clamp(shown, 0, 1), vec3(1 / 2.2)), 1);
}
