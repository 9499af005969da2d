// A provider of OpenID Connect, of which everything but who its people are is the library's own.
// node provider.mjs FOLDER, where FOLDER holds node_modules; says its address on its first line.

import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const library = join(process.argv[2], "node_modules", "oidc-provider", "lib", "index.js");
const { Provider } = await import(pathToFileURL(library).href);

const server = createServer();
await new Promise(resolve => server.listen(0, "127.0.0.1", resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

// Whoever signs in is who they say, with any password; their group is the part behind the dot.
function claims(id) {
  const [name, group] = id.split("@")[0].split(".");
  const said = { sub: id, name: name[0].toUpperCase() + name.slice(1), groups: group ? [group] : [] };
  return id.includes("@") ? { ...said, email: id, email_verified: !name.startsWith("liar") } : said;
}

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "hub",
      client_secret: "a secret + of % theirs",
      application_type: "native", // so that any port of this machine may be come back to
      redirect_uris: ["http://127.0.0.1/sign-in/back"],
    },
  ],
  claims: { openid: ["sub", "groups"], email: ["email", "email_verified"], profile: ["name"] },
  pkce: { required: () => true },
  findAccount: (_, id) => ({ accountId: id, claims: () => claims(id) }),
  loadExistingGrant: async ctx => {
    const grant = new ctx.oidc.provider.Grant({
      clientId: ctx.oidc.client.clientId,
      accountId: ctx.oidc.session.accountId,
    });
    grant.addOIDCScope("openid email profile");
    await grant.save();
    return grant;
  },
});
server.on("request", provider.callback());
console.log(JSON.stringify({ issuer }));
