package longtests

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// homes are the environment variables with the folders of a user on some system.
var homes = []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "USERPROFILE", "AppData", "LocalAppData"}

// testHome marks for the programs started by a test that the folders are temporary.
const testHome = "SDCDESK_TEST_HOME"

// Main runs the tests of a package that can write sessions, with the user's folders in a temporary one.
func Main(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if os.Getenv(testHome) != "" { // a program started by a test
		return m.Run()
	}
	folder, err := moveHome()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(folder)
	return m.Run()
}

// moveHome creates the user's folder for the tests. Go keeps its own folders.
func moveHome() (folder string, err error) {
	cache, cacheErr := os.UserCacheDir()
	home, homeErr := os.UserHomeDir()
	if folder, err = os.MkdirTemp("", "sdcdesk-test"); err != nil {
		return "", err
	}
	moved := map[string]string{testHome: folder}
	for _, name := range homes {
		moved[name] = folder
	}
	if os.Getenv("GOCACHE") == "" && cacheErr == nil {
		moved["GOCACHE"] = filepath.Join(cache, "go-build")
	}
	if os.Getenv("GOPATH") == "" && homeErr == nil {
		moved["GOPATH"] = filepath.Join(home, "go")
	}
	for name, value := range moved {
		if err := os.Setenv(name, value); err != nil {
			return folder, err
		}
	}
	return folder, nil
}
