// Ways to share a run: a link to this page with its state, the scenario as a file, and the command with the same results.

import { For, Show, createResource, createSignal } from "solid-js";
import { carried, pack } from "./link";
import { alone, command, type LabState } from "./model";
import type { Shown } from "./stage";

function Copy(props: { text: string; what: string }) {
  const [said, setSaid] = createSignal("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.text);
      setSaid("copied");
    } catch {
      setSaid("select the text and copy it");
    }
    window.setTimeout(() => setSaid(""), 2500);
  };
  return (
    <>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${props.what}`}>Copy</button>
      <span class="said" role="status">{said()}</span>
    </>
  );
}

export function Share(props: { state: LabState; text: string; runs: Shown[]; version: string; scenarioHash: string; stale: boolean }) {
  const [hash] = createResource(() => JSON.stringify(props.state), () => pack({ ...props.state, text: props.state.example ? "" : props.text }));
  const [opened, setOpened] = createSignal(false);
  const [notices] = createResource(opened, () => carried("licences").then((bytes) => new TextDecoder().decode(bytes)));
  const link = () => `${location.href.split("#")[0]}${hash() ?? ""}`;
  const save = () => {
    const url = URL.createObjectURL(new Blob([props.text], { type: "text/plain" }));
    const anchor = document.createElement("a");
    anchor.href = url;
    anchor.download = "scenario.toml";
    anchor.click();
    window.setTimeout(() => URL.revokeObjectURL(url), 1000);
  };
  return (
    <div class="share">
      <section>
        <h2>A link to this laboratory</h2>
        <p>Scenario, settings and seed are in the link itself, after the <code>#</code>; nothing is sent to any server. Whoever has this file opens the same two runs.</p>
        <textarea readonly rows="4" aria-label="Link" value={link()} onFocus={(event) => event.currentTarget.select()} />
        <p class="buttons"><Copy text={link()} what="the link" /> <button type="button" onClick={() => history.replaceState(null, "", hash() ?? "")}>Put it into the address</button> <small>{(hash() ?? "").length} characters</small></p>
      </section>
      <section>
        <h2>The same bytes as the command line</h2>
        <p>The hash is the SHA-256 of the summary, the JSON that <code>ackclock run --json</code> prints. Version {props.version}; scenario of run A: <code>{props.scenarioHash.slice(0, 16)}</code>.</p>
        <Show when={!props.stale} fallback={<p class="word">The runs are not those of the present settings; their hashes come when they have ended.</p>}>
          <For each={props.runs}>
            {({ run, outcome }) => (
              <div class="proof">
                <p><span class={`run run-${run.toLowerCase()}`}>{run}</span> <code class="hash">{outcome.sha256}</code></p>
                <Show when={!alone(props.state, run === "A" ? "a" : "b")} fallback={<p>{alone(props.state, run === "A" ? "a" : "b")}</p>}>
                  <textarea readonly rows="3" aria-label={`Command of run ${run}`} value={command(props.state, run === "A" ? "a" : "b")} onFocus={(event) => event.currentTarget.select()} />
                  <p class="buttons"><Copy text={command(props.state, run === "A" ? "a" : "b")} what={`the command of run ${run}`} /></p>
                </Show>
              </div>
            )}
          </For>
        </Show>
      </section>
      <section>
        <h2>The scenario as a file</h2>
        <p>{props.state.example ? `It is the package's example ${props.state.example}; the command takes it by name.` : "The command above reads it as scenario.toml."}</p>
        <p class="buttons"><button type="button" onClick={save}>Save scenario.toml</button></p>
      </section>
      <details onToggle={(event) => event.currentTarget.open && setOpened(true)}>
        <summary>Licences of what this page contains</summary>
        <pre class="licences" tabindex="0" aria-label="Licences">{notices() ?? ""}</pre>
      </details>
    </div>
  );
}
