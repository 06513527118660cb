// Colours that people with any colour vision can tell apart (Okabe and Ito 2008), darker or lighter by theme, and a
// dash for each, so that no line depends on colour alone.

const LIGHT = ["#0072b2", "#c2500a", "#00805f", "#a8477e", "#7a6400", "#1f6f94", "#5b4a9e", "#444b55"];
const DARK = ["#56b4e9", "#f0a35e", "#3fc79a", "#e08bbd", "#e3d24a", "#8fd0f0", "#b3a4f2", "#c3cad4"];
const DASHES = [[], [7, 3], [2, 3], [9, 3, 2, 3], [4, 4], [12, 4], [2, 6], [6, 2, 2, 2]];

const root = document.documentElement;
const preferred = matchMedia("(prefers-color-scheme: dark)");

export const dark = () => root.dataset.theme === "dark";

function show(isDark: boolean) {
  root.dataset.theme = isDark ? "dark" : "light";
  window.dispatchEvent(new Event("theme"));
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
  return colours[index % colours.length];
}

export const dash = (index: number): number[] => DASHES[index % DASHES.length];

/** Returns the value of a colour variable of the style sheet. */
export const css = (name: string) => getComputedStyle(root).getPropertyValue(name).trim();
