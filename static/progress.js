"use strict";
// Live progress of jobs: by events where one has some, else by asking for its state. Once all are
// over the page is loaded again. Without this script it says the same when it is loaded again.
(() => {
  const jobs = document.querySelectorAll("[data-state]");
  let left = jobs.length;
  jobs.forEach(follow);

function follow(job) {
  const bar = job.querySelector("progress");
  const words = job.querySelector("[data-words]");
  const count = job.querySelector("[data-count]");
  const said = job.dataset;
  const format = new Intl.NumberFormat(said.lang);
  const number = (value) => format.format(value);

  function show(stage, done, total, text) {
    const now = said[stage] || stage;
    if (words.textContent !== now) words.textContent = now;
    count.textContent = text;
    if (total > 0) {
      bar.max = total;
      bar.value = done;
    } else {
      bar.removeAttribute("value");
    }
  }

  function showEvent({ stage, done, total }) {
    show(stage, done, total, total > 0 ? `${number(done)} ${said.of} ${number(total)} ${said.entries}` : said.uncounted);
  }

  // A job that waits for its turn has no events yet: ask again, and listen again.
  async function ask() {
    try {
      const answer = await fetch(job.dataset.state, { headers: { Accept: "application/json" } });
      const { status, progress } = await answer.json();
      if (status === "queued" || status === "running") {
        if (!job.dataset.events) {
          const { stage, segment, segments, links, entries } = progress;
          if (stage) showEvent(progress);
          else show(status, segment, segments, `${number(links)} ${said.links}, ${number(entries)} ${said.entries}`);
        }
        return setTimeout(begin, 1000);
      }
    } catch {
      return setTimeout(begin, 3000);
    }
    left -= 1;
    if (left === 0) location.reload();
    else show("finished", 1, 1, "");
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
}
})();
