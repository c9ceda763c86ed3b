import { ApiError, call, token } from './api.js';

/** Whether this server is a node of a cluster, asked once for each token: links to pages of a cluster are shown only there. */

let asked = null;

/** Resolves to false, too, where the token may not ask. */
function inCluster() {
  const mine = token.get();
  if (asked?.token !== mine) {
    const answer = call('GET', '/system/v1/nodes').then(({ data }) => data.length > 0, failed);
    asked = { token: mine, answer };
  }
  return asked.answer;
}

/** A refusal stays; without an answer the next page asks again. */
function failed(problem) {
  if (!(problem instanceof ApiError)) {
    asked = null;
  }
  return false;
}

/** Shows a link in a cluster, and hides it elsewhere. */
export async function showInCluster(link) {
  link.hidden = true;
  link.hidden = token.get() === null || !await inCluster();
}
