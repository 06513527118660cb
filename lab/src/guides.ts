// Guided pages: lecture experiments, course experiments, labs and studies, from `guides.json`, which `make pages` writes.

import given from "./guides.json";
import type { LabState, Setting } from "./model";

export interface Answer {
  right: number | string | boolean;
  /** Greatest difference that still counts as right. */
  within: number;
  hint: string;
}

export interface Step {
  exercise?: string;
  predict: string;
  move?: string;
  see: string;
  explain: string;
  answer?: Answer;
  /** Settings that the button of the step applies, of both runs and of run B alone. */
  set?: Setting[];
  b?: Setting[];
  view?: "compare";
  replications?: number;
  jitter?: number;
}

export interface Figure {
  title: string;
  x: string;
  xs: number[];
  log: boolean;
  y: string;
  measure: string;
  curves: { label: string; flows: number[] }[];
  texts: string[];
  /** For each curve, for each point: index of its scenario in `texts`, and settings. */
  runs: [number, Setting[]][][];
  shown: [number, number];
  knobs: { path: string; label: string }[];
  note: string;
  paper: string;
  page: string;
}

export interface Guide {
  id: string;
  group: "lecture" | "course" | "labs" | "studies";
  title: string;
  about: string;
  introduction?: string;
  example?: string;
  text?: string;
  set?: Setting[];
  b?: Setting[];
  figure?: Figure;
  steps: Step[];
}

export const GUIDES = given as unknown as Guide[];

export const GROUPS: { id: Guide["group"]; title: string; about: string; word: string }[] = [
  { id: "lecture", title: "A lecture", about: "Two runs that differ in one thing. Each opens by one click, ready to be shown.", word: "Experiment" },
  { id: "course", title: "Course experiments", about: "The exercises that networking courses repeat, with their figures run live.", word: "Course experiment" },
  { id: "labs", title: "Six labs", about: "Three exercises each: predict, move, see, explain. Answers are checked.", word: "Lab" },
  { id: "studies", title: "Five studies", about: "A figure of each reproduced paper, run in this page. Move what the paper fixed.", word: "Study" },
];

export const guide = (id: string | undefined) => GUIDES.find((one) => one.id === id);

/** Returns copies, since the state of the page changes in place. */
const copied = (settings: Setting[] = []) => settings.map(([path, value]): Setting => [path, value]);

/** Returns the state with which a guide begins. */
export function begin(one: Guide): LabState {
  const [curve, point] = one.figure?.shown ?? [0, 0];
  return {
    example: one.example ?? null,
    text: one.figure?.texts[one.figure.runs[curve][point][0]] ?? one.text ?? "",
    set: copied(one.set),
    b: copied(one.b),
    two: (one.b ?? []).length > 0,
    seed: 1,
    experiment: one.id,
  };
}

/** Returns true if an answer is right. Numbers may have a decimal comma. */
export function isRight({ right, within }: Answer, given: string): boolean {
  const word = given.trim().toLowerCase();
  if (typeof right === "boolean") return word === String(right) || word === (right ? "yes" : "no");
  if (typeof right === "string") return word === right;
  const number = Number(word.replace(",", ".").replace(/\s*%$/, ""));
  return word !== "" && Math.abs(number - right) <= within;
}
