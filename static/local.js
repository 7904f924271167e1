"use strict";
// Times in the reader's zone, beside those in UTC that the page has.
(() => {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "long",
  });
  for (const place of document.querySelectorAll("[data-local]")) {
    const moment = new Date(place.dataset.local);
    if (!Number.isNaN(moment.getTime())) place.textContent = format.format(moment);
  }
})();
