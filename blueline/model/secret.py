"""Files whose content is nobody's business, by their names."""

from fnmatch import fnmatchcase

NAMES = (
    *(".env", ".env.*", "*.env", ".envrc", "secret.*", "secrets.*", "*.secret", "*.secrets"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.asc", "*.gpg"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "authorized_keys", "htpasswd", ".htpasswd"),
    *(".netrc", "_netrc", ".npmrc", ".yarnrc*", ".pypirc", ".pgpass", ".my.cnf", ".git-credentials"),
    *("credentials", "credentials.*", "*-credentials.json", "service-account*.json", "*.tfstate", "*.tfvars"),
)
FOLDERS = frozenset({".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", "secrets"})
HARMLESS = (".env.example", ".env.sample", ".env.template", ".env.dist", "id_*.pub")


def is_secret(path: str) -> bool:
    """Whether a file is of a kind that holds passwords or keys."""
    *folders, name = path.lower().split("/")
    if any(fnmatchcase(name, pattern) for pattern in HARMLESS):
        return False
    return not FOLDERS.isdisjoint(folders) or any(fnmatchcase(name, pattern) for pattern in NAMES)
