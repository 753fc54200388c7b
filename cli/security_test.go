package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// office is a folder with a file of invented persons and scripts, in which commands run; the user's folders are
// elsewhere.
type office struct {
	*testing.T
	folder string
	given  map[string]string // the files with their contents
	values []string          // values of single records
}

// newOffice makes the files and changes to their folder.
func newOffice(t *testing.T) *office {
	o := &office{T: t, folder: t.TempDir(), given: map[string]string{}}
	user := t.TempDir()
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"} {
		t.Setenv(name, user)
	}
	t.Cleanup(func() {
		if left := namesIn(t, user); len(left) > 0 {
			t.Errorf("the folders of the user have %v", left)
		}
	})
	var text strings.Builder
	text.WriteString("hid,region,sex,age,income,weight,remark\n")
	for i := range 600 {
		income, remark := fmt.Sprintf("%d.37", 41000+i*7919%60013), fmt.Sprintf("zq%05d said so", i*7907%9973)
		o.values = append(o.values, income, income[:2]+","+income[2:], remark[:7])
		fmt.Fprintf(&text, "%d,r%d,%d,%d,%s,%d,%s\n", 5000+i/3, i/3*7%4, i%2, 20+i*31%7*9, income, 50+i%5, remark)
	}
	const head = `{"format":"sdcdesk-script","version":1}
{"scenario":{"keys":["region","sex","age"],"numeric":["income"],"weight":"weight","household":"hid","remove":["remark"]}}
`
	for name, content := range map[string]string{"persons.csv": text.String(),
		"codes.csv": "variable,label,value,value_label,missing\nsex,Sex,0,man,\nsex,,1,woman,\nsex,,2,other,\n",
		"steps.jsonl": head + `{"step":"suppress-kanonymity","params":{"k":3}}
{"step":"noise","params":{"variables":["income"]},"seed":7123456789123}
`, "other.jsonl": head + `{"step":"recode-intervals","params":{"variable":"age","breaks":[0,40,60,80]}}
{"step":"suppress-kanonymity","params":{"k":3}}
{"step":"microaggregate","params":{"variables":["income"]}}
`} {
		o.given[name] = content
		writes(t, filepath.Join(o.folder, name), content)
	}
	t.Chdir(o.folder)
	return o
}

// says runs a command and returns everything that it prints, and its exit status.
func says(line string) (string, int) {
	var out, messages bytes.Buffer
	status := Main(strings.Fields(line), &out, &messages, Examples{})
	return out.String() + messages.String(), status
}

// does runs a command that must succeed.
func (o *office) does(line string) {
	o.Helper()
	if text, status := says(line); status != 0 {
		o.Fatalf("%s: exit status %d: %s", line, status, text)
	}
}

// made returns the new files and folders by path.
func (o *office) made() map[string]fs.FileMode {
	found := map[string]fs.FileMode{}
	err := filepath.WalkDir(o.folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(o.folder, path)
		if _, given := o.given[name]; err != nil || given || name == "." {
			return err
		}
		info, err := entry.Info()
		if err == nil {
			found[filepath.ToSlash(name)] = info.Mode()
		}
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
	return found
}

// untouched checks that the original files are unchanged.
func (o *office) untouched() {
	o.Helper()
	for name, content := range o.given {
		if text, err := os.ReadFile(name); err != nil || string(text) != content {
			o.Errorf("%s was changed: %v", name, err)
		}
	}
}

const releasing = "release steps.jsonl persons.csv -o bundle --random-order --new-identifiers hid"

// Commands write only what was requested, accessible to the owner only; the source is unchanged.
func TestEverythingWrittenIsPrivate(t *testing.T) {
	o := newOffice(t)
	o.does("run steps.jsonl persons.csv -o safe.csv --codebook codes.csv --write-codebook safe-codes.csv --summary figures.json " +
		"--records risks.csv --report internal.html --report-users users.md")
	o.does("convert persons.csv persons.sav")
	o.does(releasing)
	for _, line := range []string{"verify bundle persons.csv", "check safe.csv --against persons.csv", "inspect persons.csv",
		"compare original steps.jsonl persons.csv", "plan persons.csv --keys region,sex", "try steps.jsonl persons.csv", "where"} {
		o.does(line)
	}
	want := []string{"safe.csv", "safe-codes.csv", "figures.json", "risks.csv", "internal.html", "users.md", "persons.sav"}
	made := o.made()
	for _, name := range want {
		if _, ok := made[name]; !ok {
			t.Errorf("%s is not there", name)
		}
	}
	for name, mode := range made {
		if !slices.Contains(want, name) && name != "bundle" && !strings.HasPrefix(name, "bundle/") {
			t.Errorf("%s was written, which nobody asked for", name)
		}
		if private := fs.FileMode(0o600) | mode&fs.ModeDir; runtime.GOOS != "windows" && mode != private && mode != private|0o100 ||
			mode&0o100 != 0 && !mode.IsDir() {
			t.Errorf("%s has mode %v", name, mode)
		}
	}
	o.untouched()
}

// The source is never replaced, whatever its name.
func TestSourceIsNeverReplaced(t *testing.T) {
	o := newOffice(t)
	for name, link := range map[string]func(string, string) error{"hard.csv": os.Link, "soft.csv": os.Symlink} {
		if err := link("persons.csv", name); err != nil {
			t.Skip(err)
		}
		o.given[name] = o.given["persons.csv"]
	}
	for _, name := range []string{"persons.csv", "./persons.csv", "hard.csv", "soft.csv"} {
		for _, line := range []string{"run steps.jsonl persons.csv --force -o ", "run steps.jsonl persons.csv -o safe.csv --force --report ",
			"run steps.jsonl persons.csv -o safe.csv --force --summary ", "convert --force persons.csv "} {
			if text, status := says(line + name); status == 0 {
				t.Errorf("%s%s is done: %s", line, name, text)
			}
			o.untouched()
		}
	}
}

// Commands print no value of a record, except the weights in inspections; compare does with a flag. Errors contain
// no values either.
func TestCommandsPrintNoValues(t *testing.T) {
	o := newOffice(t)
	writes(t, "bad.jsonl", `{"format":"sdcdesk-script","version":1}`+"\n"+`{"step":"recode-intervals","params":{"variable":"remark","breaks":[1,2]}}`+"\n")
	none := func(line string) {
		t.Helper()
		text, _ := says(line)
		for _, value := range o.values {
			if strings.Contains(text, value) {
				t.Errorf("%s prints %s:\n%s", line, value, text)
				return
			}
		}
	}
	for _, line := range []string{"inspect persons.csv", "inspect persons.csv --json", "check persons.csv", "check persons.csv --json",
		"run steps.jsonl persons.csv -o safe.csv", "check safe.csv --against persons.csv --script steps.jsonl",
		"check persons.csv --against persons.csv --script other.jsonl", releasing, "verify bundle persons.csv",
		"verify bundle safe.csv", "compare steps.jsonl other.jsonl persons.csv", "compare steps.jsonl other.jsonl persons.csv --json",
		"compare persons.csv persons.csv persons.csv", "plan persons.csv --keys region,sex", "plan persons.csv --numeric income",
		"try steps.jsonl persons.csv", "convert persons.csv persons.dta", "run persons.csv persons.csv -o no.csv",
		"run bad.jsonl persons.csv -o no.csv", "run steps.jsonl steps.jsonl -o no.csv", "inspect persons.csv --decimal ;",
		"inspect persons.csv --household remark", "check persons.csv --keys remark,income"} {
		none(line)
	}
	if text, _ := says("compare steps.jsonl other.jsonl persons.csv --values"); !strings.Contains(text, ".37") {
		t.Errorf("compare --values prints no value:\n%s", text)
	}
}

// Labels of the source are in the file and its codebook, including those of categories without records.
func TestLabelsOfTheSourceAreReleased(t *testing.T) {
	o := newOffice(t)
	o.does("run steps.jsonl persons.csv -o safe.csv --codebook codes.csv --write-codebook safe-codes.csv")
	text, err := os.ReadFile("safe-codes.csv")
	if err != nil || !bytes.Contains(text, []byte("woman")) || !bytes.Contains(text, []byte("other")) {
		t.Errorf("the codebook is %s, %v", text, err)
	}
}

// Only the internal part of a release has a script with seeds.
func TestSeedsStayInside(t *testing.T) {
	o := newOffice(t)
	o.does(releasing)
	for name, mode := range o.made() {
		if mode.IsDir() {
			continue
		}
		text, err := os.ReadFile(name)
		if has := bytes.Contains(text, []byte("7123456789123")); err != nil || has && !strings.HasPrefix(name, "bundle/internal/") {
			t.Errorf("%s has the seed: %v", name, err)
		} else if name == "bundle/internal/script.jsonl" && !has {
			t.Error("the script inside has no seed")
		}
	}
}
