// The text of the scenario; errors are shown at their lines.

import { For, Show, createMemo, createSignal } from "solid-js";
import type { Problem } from "./runner";

const PAUSE = 180;

export function Edit(props: { text: string; name: string | null; problems: Problem[]; settings: number; onText: (text: string) => void }) {
  const [draft, setDraft] = createSignal(props.text);
  let area!: HTMLTextAreaElement;
  let gutter!: HTMLDivElement;
  let timer = 0;
  const lines = createMemo(() => draft().split("\n").length);
  const marked = createMemo(() => new Map(props.problems.filter((one) => one.line).map((one) => [one.line, one])));
  const typed = (text: string) => {
    setDraft(text);
    window.clearTimeout(timer);
    timer = window.setTimeout(() => props.onText(text), PAUSE);
  };
  const go = (line: number) => {
    const at = draft().split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(at, at + (draft().slice(at).split("\n")[0]?.length ?? 0));
    area.scrollTop = Math.max(0, (line - 6) * 20);
  };
  const open = async (file: File | undefined) => {
    if (!file) return;
    if (file.size > 2_000_000) return typed(`# ${file.name} has ${file.size} bytes; at most 2 MB are read here.\n`);
    typed(await file.text());
  };
  return (
    <div class="edit">
      <div class="edit-head">
        <h2>Scenario</h2>
        <p>
          {props.name ? `This is the example ${props.name}. A change makes it your own text` : "This is your own text"}
          {props.settings ? `, and drops the ${props.settings} settings of the sliders` : ""}. It is checked as you type, by the rules of the command line.
        </p>
        <label class="file">Open a file <input type="file" accept=".toml,text/plain" onChange={(event) => void open(event.currentTarget.files?.[0])} /></label>
      </div>
      <div class="editor">
        <div class="gutter" ref={gutter} aria-hidden="true">
          <For each={Array.from({ length: lines() }, (_, i) => i + 1)}>{(line) => <span classList={{ wrong: marked().has(line) }}>{line}</span>}</For>
        </div>
        <textarea
          ref={area} value={props.text} spellcheck={false} autocomplete="off" autocapitalize="off" wrap="off" aria-label="Scenario in TOML" aria-invalid={props.problems.length > 0}
          aria-describedby="mistakes" onInput={(event) => typed(event.currentTarget.value)} onScroll={() => (gutter.scrollTop = area.scrollTop)}
        />
      </div>
      <div id="mistakes" class="mistakes" role="status">
        <Show when={props.problems.length} fallback={<p>No mistakes.</p>}>
          <ul>
            <For each={props.problems}>
              {(one) => (
                <li>
                  <Show when={one.line}>{(line) => <button type="button" onClick={() => go(line())}>line {line()}</button>}</Show>
                  <pre>{one.text}</pre>
                </li>
              )}
            </For>
          </ul>
        </Show>
      </div>
    </div>
  );
}
