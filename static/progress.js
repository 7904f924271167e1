"use strict";
// Live progress of a job: by events where it has some, else by asking for its state. Without this
// script the page says the same when it is loaded again.
(() => {
  const job = document.querySelector("[data-state]");
  if (!job) return;
  const bar = job.querySelector("progress");
  const words = job.querySelector("[data-words]");
  const count = job.querySelector("[data-count]");
  const format = new Intl.NumberFormat("en");
  const number = (value) => format.format(value);
  const stages = {
    queued: "waiting for its turn",
    rolling: "closing the segments that are being written",
    gathering: "reading and checking entries",
    writing: "writing the bundle",
    verifying: "checking the bundle",
    finished: "finished",
    running: "reading and checking links",
  };

  function show(stage, done, total, text) {
    const said = stages[stage] || stage;
    if (words.textContent !== said) words.textContent = said;
    count.textContent = text;
    if (total > 0) {
      bar.max = total;
      bar.value = done;
    } else {
      bar.removeAttribute("value");
    }
  }

  function showEvent({ stage, done, total }) {
    show(stage, done, total, total > 0 ? `${number(done)} of ${number(total)} entries` : "not counted yet");
  }

  // A job that waits for its turn has no events yet: ask again, and listen again.
  async function ask() {
    try {
      const answer = await fetch(job.dataset.state, { headers: { Accept: "application/json" } });
      const { status, progress } = await answer.json();
      if (status === "queued" || status === "running") {
        if (!job.dataset.events) {
          const { segment, segments, links, entries } = progress;
          show(status, segment, segments, `${number(links)} links, ${number(entries)} entries`);
        }
        return setTimeout(begin, 1000);
      }
    } catch {
      return setTimeout(begin, 3000);
    }
    location.reload();
  }

  function begin() {
    if (!job.dataset.events || !window.EventSource) return ask();
    const events = new EventSource(job.dataset.events);
    events.addEventListener("progress", (event) => showEvent(JSON.parse(event.data)));
    events.addEventListener("done", () => {
      events.close();
      ask();
    });
  }

  begin();
})();
