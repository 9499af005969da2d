"""Code hosts: what is asked of GitHub, Gitea, Forgejo and GitLab, and what they tell."""
