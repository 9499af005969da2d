/**
 * What the page asks the server for before its own script is there: a script of its own, because it is small. Who
 * asks for the same afterwards gets that answer, once.
 */

export {};

const project = new URLSearchParams(location.search).get("project");
const query = project === null ? "" : `?project=${encodeURIComponent(project)}`;
// Whoever comes to a hub begins with the inbox, and has no project before them.
const isNowhere = project === null && document.documentElement.dataset["at"] === "hub";
const paths = ["/api/projects", ...(isNowhere ? [] : [`/api/overview${query}`])];
window.bluelineAsked = new Map(paths.map(path => [path, fetch(path, { cache: "no-store" })]));
// Whoever takes one up hears that it failed; one that nobody takes up is no error.
for (const answer of window.bluelineAsked.values()) answer.catch(() => undefined);
