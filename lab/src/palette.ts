// Colours that people with any colour vision can tell apart (Okabe and Ito 2008), darker or lighter by theme, and a
// dash for each, so that no line depends on colour alone.

import { createSignal } from "solid-js";

const LIGHT = ["#0072b2", "#c2500a", "#00805f", "#a8477e", "#7a6400", "#1f6f94", "#5b4a9e", "#444b55"];
const DARK = ["#56b4e9", "#f0a35e", "#3fc79a", "#e08bbd", "#e3d24a", "#8fd0f0", "#b3a4f2", "#c3cad4"];
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [12, 4], [2, 6], [6, 2, 2, 2]];

/** Number of different colours. */
export const COLOURS = LIGHT.length;

const root = document.documentElement;
const preferred = matchMedia("(prefers-color-scheme: dark)");

/** True if the page is dark. A computation that reads it, or a colour, is repeated when the theme changes. */
export const [dark, setDark] = createSignal(preferred.matches);

/** Values of the style sheet's variables in the present theme. They are kept, since the browser may have to recompute styles for each. */
const known = new Map<string, string>();

function show(isDark: boolean) {
  root.dataset.theme = isDark ? "dark" : "light";
  known.clear();
  setDark(isDark);
}

/** Follows the theme of the system, until `flip` chooses the other one. */
const follow = () => show(preferred.matches);
follow();
preferred.addEventListener("change", follow);

export function flip() {
  preferred.removeEventListener("change", follow);
  show(!dark());
}

export function colour(index: number): string {
  const colours = dark() ? DARK : LIGHT;
  return colours[index % COLOURS];
}

export const dash = (index: number): number[] => DASHES[index % DASHES.length];

/** Returns the value of a colour variable of the style sheet. */
export function css(name: string): string {
  dark();
  const value = known.get(name) ?? getComputedStyle(root).getPropertyValue(name).trim();
  known.set(name, value);
  return value;
}
