// The text of the scenario; errors are shown at their lines.

import { For, Show, createEffect, createMemo, createSignal } from "solid-js";
import { complete, type Completion } from "./complete";
import type { Problem } from "./runner";
import type { Schema } from "./schema";

const PAUSE = 180;
/** Height of a line and padding of the text, pixels; the style sheet has the same. */
const LINE = 20;
const PADDING = { x: 12, y: 10 };

export function Edit(props: { schema: Schema; text: string; name: string | null; problems: Problem[]; settings: number; onText: (text: string) => void }) {
  const [draft, setDraft] = createSignal(props.text);
  let area!: HTMLTextAreaElement;
  let gutter!: HTMLDivElement;
  let list!: HTMLDivElement;
  // By the object model, since the policy of the page forbids styles in the text of elements.
  createEffect(() => Object.assign(list.style, place()));
  let timer = 0;
  const lines = createMemo(() => draft().split("\n").length);
  const marked = createMemo(() => new Map(props.problems.filter((one) => one.line).map((one) => [one.line, one])));
  const typed = (text: string) => {
    setDraft(text);
    window.clearTimeout(timer);
    timer = window.setTimeout(() => props.onText(text), PAUSE);
  };
  const [offered, setOffered] = createSignal<Completion | null>(null);
  const [active, setActive] = createSignal(0);
  const [place, setPlace] = createSignal({ left: "0px", top: "0px" });
  /** Offers what can stand at the cursor; without being asked only once a word has begun. */
  const offer = (asked: boolean) => {
    const at = area.selectionStart;
    const found = at === area.selectionEnd ? complete(props.schema, area.value, at) : null;
    setActive(0);
    setOffered(found && (asked || found.to > found.from) ? found : null);
    if (!found) return;
    const before = area.value.slice(0, found.from).split("\n");
    const pen = document.createElement("canvas").getContext("2d")!;
    pen.font = getComputedStyle(area).font;
    const x = pen.measureText(before[before.length - 1]).width + PADDING.x - area.scrollLeft;
    setPlace({ left: `${area.offsetLeft + Math.min(Math.max(x, 0), Math.max(area.clientWidth - 260, 0))}px`, top: `${area.offsetTop + before.length * LINE + PADDING.y - area.scrollTop}px` });
  };
  const accept = (i: number) => {
    const found = offered();
    if (!found) return;
    setOffered(null);
    area.focus();
    area.setRangeText(found.proposals[i].word, found.from, found.to, "end");
    typed(area.value);
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      return offer(true);
    }
    const found = offered();
    if (!found) return;
    const count = found.proposals.length;
    const acts: Record<string, () => void> = {
      ArrowDown: () => setActive((active() + 1) % count),
      ArrowUp: () => setActive((active() - 1 + count) % count),
      Enter: () => accept(active()),
      Tab: () => accept(active()),
      Escape: () => setOffered(null),
    };
    if (!acts[event.key] || event.shiftKey) return;
    event.preventDefault();
    acts[event.key]();
  };
  const go = (line: number) => {
    const at = draft().split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus();
    area.setSelectionRange(at, at + (draft().slice(at).split("\n")[0]?.length ?? 0));
    area.scrollTop = Math.max(0, (line - 6) * LINE);
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
          {props.settings ? `, and drops the ${props.settings} settings of the sliders` : ""}. It is checked as you type, by the rules of the command line. Ctrl + Space offers keys and values.
        </p>
        <label class="file">Open a file <input type="file" accept=".toml,text/plain" onChange={(event) => void open(event.currentTarget.files?.[0])} /></label>
      </div>
      <div class="editor">
        <div class="gutter" ref={gutter} aria-hidden="true">
          <For each={Array.from({ length: lines() }, (_, i) => i + 1)}>{(line) => <span classList={{ wrong: marked().has(line) }}>{line}</span>}</For>
        </div>
        <textarea
          ref={area} value={props.text} spellcheck={false} autocomplete="off" autocapitalize="off" wrap="off" aria-label="Scenario in TOML" aria-invalid={props.problems.length > 0}
          aria-describedby="mistakes" aria-autocomplete="list" aria-controls="offered" aria-activedescendant={offered() ? `offer-${active()}` : undefined}
          onInput={(event) => {
            typed(event.currentTarget.value);
            offer(false);
          }}
          onKeyDown={keys} onPointerDown={() => setOffered(null)} onBlur={() => setOffered(null)}
          onScroll={() => {
            gutter.scrollTop = area.scrollTop;
            setOffered(null);
          }}
        />
        <div id="offered" class="offered" role="listbox" aria-label="Proposals" hidden={!offered()} ref={list}>
          <For each={offered()?.proposals}>
            {(one, i) => (
              <div id={`offer-${i()}`} role="option" aria-selected={active() === i()} onPointerDown={(event) => { event.preventDefault(); accept(i()); }}>
                <code>{one.word.trim().replace(/ =$/, "")}</code> <span>{one.about}</span>
              </div>
            )}
          </For>
        </div>
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
