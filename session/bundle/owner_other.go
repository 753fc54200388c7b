//go:build !unix

package bundle

import "io/fs"

// ours returns true, because folders have neither owner nor mode here.
func ours(fs.FileInfo) bool { return true }
