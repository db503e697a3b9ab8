"""Every setting declared once, the layers that give it a value, and the secrets in the keyring."""
