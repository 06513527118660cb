// The contents of the guided pages.

import { For, Show } from "solid-js";
import { GROUPS, GUIDES } from "./guides";

export function Learn(props: { current: string | undefined; onOpen: (id: string) => void }) {
  return (
    <div class="lessons">
      <For each={GROUPS}>
        {(group) => (
          <section aria-labelledby={`group-${group.id}`}>
            <header>
              <h2 id={`group-${group.id}`}>{group.title}</h2>
              <p>{group.about}</p>
            </header>
            <ul>
              <For each={GUIDES.filter((one) => one.group === group.id)}>
                {(one) => (
                  <li>
                    <button type="button" class="card" aria-current={props.current === one.id ? "true" : undefined} onClick={() => props.onOpen(one.id)}>
                      <b>{one.title}</b>
                      <span>{one.about}</span>
                      <Show when={one.figure}><small>with a live figure</small></Show>
                    </button>
                  </li>
                )}
              </For>
            </ul>
          </section>
        )}
      </For>
    </div>
  );
}
