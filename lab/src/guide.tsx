// The guide beside the runs: predict, move, see, explain, with answers that are checked.

import { For, Show, createEffect, createSignal, on } from "solid-js";
import { GROUPS, isRight, type Answer, type Guide, type Step } from "./guides";

/** Text in which words between backticks are code. */
export function Prose(props: { text: string }) {
  return <For each={props.text.split("`")}>{(part, i) => (i() % 2 ? <code>{part}</code> : part)}</For>;
}

export function GuidePanel(props: { guide: Guide; onStep: (step: Step) => void }) {
  const [at, setAt] = createSignal(0);
  createEffect(on(() => props.guide.id, () => setAt(0), { defer: true }));
  const step = () => props.guide.steps[Math.min(at(), props.guide.steps.length - 1)];
  const many = () => props.guide.steps.length > 1;
  return (
    <section class="story" aria-label="Guide">
      <p class="crumb">{GROUPS.find((one) => one.id === props.guide.group)?.word}</p>
      <h2>{props.guide.title}</h2>
      <Show when={props.guide.introduction}>{(text) => <p class="introduction">{text()}</p>}</Show>
      <Show when={many()}>
        <div class="steps" role="group" aria-label="Exercises">
          <For each={props.guide.steps}>
            {(one, i) => <button type="button" aria-pressed={at() === i()} aria-label={`Exercise ${one.exercise}`} onClick={() => setAt(i())}>{one.exercise}</button>}
          </For>
        </div>
      </Show>
      <p><b>Predict.</b> <Prose text={step().predict} /></p>
      {/* Anew for each exercise, so that an answer does not stay for the next. */}
      <Show when={step().answer} keyed>{(answer) => <Check answer={answer} name={step().exercise ?? ""} />}</Show>
      <Show when={step().move}>{(text) => <p><b>Move.</b> <Prose text={text()} /></p>}</Show>
      <Show when={step().set || step().b || step().view}>
        <p class="buttons"><button type="button" onClick={() => props.onStep(step())}>{step().view ? "Open it in Compare" : "Set it"}</button></p>
      </Show>
      <p><b>See.</b> <Prose text={step().see} /></p>
      <Show when={step()} keyed>{(one) => <details><summary>Explain</summary><p><Prose text={one.explain} /></p></details>}</Show>
    </section>
  );
}

function Check(props: { answer: Answer; name: string }) {
  const [given, setGiven] = createSignal("");
  const [word, setWord] = createSignal("");
  const check = (event: Event) => {
    event.preventDefault();
    setWord(given().trim() === "" ? "Type an answer first." : isRight(props.answer, given()) ? "Right." : `Not yet. Hint: ${props.answer.hint}.`);
  };
  return (
    <form class="answer" onSubmit={check}>
      <input type="text" aria-label={`Answer to exercise ${props.name}`} value={given()} placeholder="your answer" autocomplete="off" spellcheck={false} onInput={(event) => setGiven(event.currentTarget.value)} />
      <button type="submit">Check</button>
      <span role="status" classList={{ right: word() === "Right." }}>{word()}</span>
    </form>
  );
}
