//go:build unix

package bundle

import (
	"io/fs"
	"os"
	"syscall"
)

// ours reports whether the user of the program owns a folder that nobody else can access.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid() && info.Mode().Perm() == folderMode
}
