package fileio

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// systemMemory returns the memory available to new programs, or what is left of the limit of the control group.
func systemMemory() int64 {
	free := available()
	limit, used := readLimit("/sys/fs/cgroup/memory.max"), readLimit("/sys/fs/cgroup/memory.current")
	if limit > 0 && limit > used && limit-used < free {
		free = limit - used
	}
	return free
}

func available() int64 {
	file, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "MemAvailable:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// readLimit returns the number in a system file, or 0 if there is none.
func readLimit(path string) int64 {
	content, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	for i, b := range content {
		if b < '0' || b > '9' {
			content = content[:i]
			break
		}
	}
	n, _ := strconv.ParseInt(string(content), 10, 64)
	return n
}
