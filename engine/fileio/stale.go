package fileio

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The name of a file that is not yet placed is one of these with digits
// between.
const (
	stagedStart = ".sdcdesk-"
	stagedEnd   = ".tmp"
)

// staleAfter is the age of a file that nobody can be about to place.
const staleAfter = 24 * time.Hour

// removeStale removes what killed programs left in a folder: records, maybe,
// under hidden names. What cannot be removed stays.
func removeStale(folder string, now time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, entry := range entries {
		digits, ours := strings.CutPrefix(entry.Name(), stagedStart)
		digits, ends := strings.CutSuffix(digits, stagedEnd)
		if !ours || !ends || digits == "" || !allDigits([]byte(digits)) || !entry.Type().IsRegular() {
			continue
		}
		if info, err := entry.Info(); err == nil && now.Sub(info.ModTime()) > staleAfter {
			_ = os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}
