// Imported before oidc-provider, which warns of each release of Node that does not call itself LTS.
Object.assign(process.release, { lts: process.release.lts ?? process.version });
