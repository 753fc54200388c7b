package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A release with critical findings is refused with exit status 3, and an accepted one can be verified.
func TestReleaseAndVerify(t *testing.T) {
	script, folder := filepath.Join(t.TempDir(), "steps.jsonl"), filepath.Join(t.TempDir(), "release")
	file := filepath.Join("..", "testdata", "survey.csv")
	err := os.WriteFile(script, []byte(`{"format":"sdcdesk-script","version":1}`+"\n"+
		`{"scenario":{"keys":["region","sex"],"household":"hid"}}`+"\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := execute(t, "release", script, file); exitStatus(err) != 2 || !strings.Contains(err.Error(), "-o FOLDER") {
		t.Error(err)
	}
	if _, _, err := execute(t, "release", script, file, "-o", folder, "--random-ids", "hid"); exitStatus(err) != 3 ||
		!strings.Contains(err.Error(), "no-protection") {
		t.Error(err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("something was written")
	}
	out, messages, err := execute(t, "release", script, file, "-o", folder, "--random-ids", "hid", "--random-order",
		"--accept", "no-protection", "--because", "a test", "--accepted-by", "A. B.", "--name", "safe.csv")
	if err != nil || !strings.Contains(out, "5,000 records released in "+filepath.Join(folder, "users", "safe.csv")) ||
		!strings.Contains(messages, "critical: no-protection: ") {
		t.Fatal(out, messages, err)
	}
	_, hash, _ := strings.Cut(strings.TrimSpace(out), "SHA-256 of the release: ")
	if _, _, err := execute(t, "release", script, file, "-o", folder, "--new-identifiers", "hid", "--accept",
		"no-protection", "--because", "a test", "--accepted-by", "A. B."); exitStatus(err) != 1 || !strings.HasSuffix(err.Error(), "with --force") {
		t.Error(err)
	}
	page, _, err := execute(t, "verify", folder, file)
	if err != nil || !strings.Contains(page, hash) || strings.Contains(page, "NO ") {
		t.Error(page, err)
	}
	page, _, err = execute(t, "verify", folder, filepath.Join("..", "testdata", "guide10.csv"))
	if exitStatus(err) != 1 || !strings.Contains(page, "\nNO  ") {
		t.Error(page, err)
	}
	if page, _, err = execute(t, "verify", folder, file, "--json"); err != nil || !strings.Contains(page, hash) {
		t.Error(page, err)
	}
}

// Two bundles are compared by their releases; a bundle and a script cannot be compared.
func TestCompareBundles(t *testing.T) {
	folder, file := t.TempDir(), filepath.Join("..", "testdata", "survey.csv")
	paths := map[string]string{}
	for name, scenario := range map[string]string{"a": `{"remove":["pid"]}`, "b": `{"remove":["pid","relig"]}`} {
		script := filepath.Join(folder, name+".jsonl")
		text := `{"format":"sdcdesk-script","version":1}` + "\n" + `{"scenario":` + scenario + "}\n"
		if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths[name] = filepath.Join(folder, name)
		if _, _, err := execute(t, "release", script, file, "-o", paths[name], "--random-order", "--new-identifiers", "hid",
			"--accept", "no-protection", "--because", "a test", "--accepted-by", "A. B."); err != nil {
			t.Fatal(err)
		}
	}
	text, _, err := execute(t, "compare", paths["a"], paths["b"], file)
	if err != nil || !strings.Contains(text, "5,000 records in both files; 0 of them differ in at least one value") ||
		!strings.Contains(text, "relig     whole variable") || !strings.Contains(text, "random IDs: hid") {
		t.Error(text, err)
	}
	text, _, err = execute(t, "compare", paths["b"], paths["a"], file, "--json")
	if err != nil || !strings.Contains(text, `"in_a": false`) {
		t.Error(text, err)
	}
	if _, _, err = execute(t, "compare", paths["a"], "original", file); exitStatus(err) != 2 {
		t.Error(err)
	}
}
