// Sounds, off until somebody turns them on; all of them are made here from plain tones.

import { element } from "./parts.js";

const KEY = "sounds";
const TONES = { move: [[392, 0]], yours: [[523, 0], [659, 0.09]], end: [[523, 0], [659, 0.12], [784, 0.24]] }; // Hz, and when in seconds
const LENGTH = 0.12, LOUD = 0.08;
let device = null;

const on = () => { try { return localStorage.getItem(KEY) === "on"; } catch { return false; } };

export function sound(name) {
  if (!on()) return;
  device ??= new AudioContext();
  for (const [pitch, after] of TONES[name]) {
    const tone = device.createOscillator(), volume = device.createGain(), begins = device.currentTime + after;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, begins);
    volume.gain.exponentialRampToValueAtTime(0.001, begins + LENGTH);
    tone.connect(volume).connect(device.destination);
    tone.start(begins);
    tone.stop(begins + LENGTH);
  }
}

export function soundButton() {
  const button = element("button", { ariaPressed: String(on()) }, "Sounds");
  button.onclick = () => {
    try { localStorage.setItem(KEY, on() ? "off" : "on"); } catch { return; }
    button.ariaPressed = String(on());
    sound("yours");
  };
  return button;
}
