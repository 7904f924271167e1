"use strict";
// A sign-in link carries its token behind "#", which no browser sends anywhere. It is put into
// the form and taken out of the address; signing in stays a click of the person's own.
(() => {
  const field = document.getElementById("token");
  const token = location.hash.slice(1);
  if (!field || !token) return;
  history.replaceState(null, "", location.pathname + location.search);
  field.value = token;
})();
