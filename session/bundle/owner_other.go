//go:build !unix

package bundle

import "io/fs"

// ours reports nothing else where a folder has neither owner nor mode.
func ours(fs.FileInfo) bool { return true }
