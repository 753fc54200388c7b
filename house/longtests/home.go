package longtests

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// homes are the variables that lead to the folders of a user on some system.
var homes = []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "USERPROFILE", "AppData", "LocalAppData"}

// testHome says to the programs that a test starts that they are in its folders.
const testHome = "SDCDESK_TEST_HOME"

// Main runs the tests of a package that can write sessions, with the folders of the user in a temporary one.
func Main(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if os.Getenv(testHome) != "" { // a program that a test started
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

// moveHome makes the folder that is the user's during the tests. Go keeps its own.
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
