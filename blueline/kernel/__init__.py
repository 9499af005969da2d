"""What the hook process and all else stand on: files, frames and blobs on disk. Built-in modules alone."""
