package lesson

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// example writes the lesson of the manual and its data into a folder.
func example(t *testing.T) (script, data string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "lessons.md"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for kind, name := range map[string]*string{"csv": &data, "json": &script} {
		text := regexp.MustCompile("(?s)```" + kind + "\n(.*?)```").FindSubmatch(page)
		if text == nil {
			t.Fatalf("docs/lessons.md has no example of %s", kind)
		}
		*name = filepath.Join(folder, map[string]string{"csv": "towns.csv", "json": "towns.jsonl"}[kind])
		if err := os.WriteFile(*name, []byte(strings.ReplaceAll(string(text[1]), "\r\n", "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return script, data
}

// The example of the manual opens with its data.
func TestExampleOfTheManual(t *testing.T) {
	script, _ := example(t)
	l, err := Find(script)
	if err != nil {
		t.Fatal(err)
	}
	opening, err := l.Open(t.Context(), nil)
	if err != nil || opening.Data.Records() != 6 || len(l.Parts) != 4 || !l.Own() {
		t.Errorf("%+v, %v", opening, err)
	}
}

// What is wrong with a lesson or its data is told before it begins, with the line.
func TestOwnLessonsThatCannotBeTaken(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"nothing":          {"", "", "empty"},
		"one line":         {"\n", " ", "line 1: there is text after its end"},
		"no parts":         {`{"say`, "\x00", "line 3: the line is not complete"},
		"a task":           {`"choose":`, `"guess":`, `line 5: lessons have nothing called "guess"`},
		"a measure":        {`"measure":"kanonymity"`, `"measure":"kanon"`, `line 4: there is no measure "kanon"`},
		"a method":         {`"with":["suppress"]`, `"with":["blank"]`, `line 6: there is no method "blank"`},
		"a variable":       {`"keys":["town"`, `"keys":["city"`, "line 2:"},
		"a record":         {`"k":2}`, `"record":7}`, "line 4: there is no record 7"},
		"no UTF-8":         {"Six", "S\xffx", "line 1: the text is not UTF-8"},
		"a sign, no UTF-8": {"{\"say", "{\"hint\":\"\ufffd\",\n\xff\"say", "line 4: the text is not UTF-8"},
		"masked names":     {`{"say":`, `{"step":"noise","params":{"variables":["town","height"]},"say":`, `line 3: the data have no variable "height"`},
		"a kind":           {`"title":"`, `"title":1,"about":"`, "wrong kind"},
		"no title":         {`"title":"Six`, `"title":"","about":"Six`, `needs "lesson"`},
		"a path out":       {`"towns.csv"`, `"../towns.csv"`, "must not leave"},
		"a root":           {`"towns.csv"`, `"/etc/passwd"`, "must not leave"},
		"a backslash":      {`"towns.csv"`, `"..\\towns.csv"`, "must not leave"},
		"a link out":       {`"towns.csv"`, `"link.csv"`, "may leave"},
		"no data":          {`"towns.csv"`, `"other.csv"`, "other.csv is not there"},
		"a folder":         {`"towns.csv"`, `"folder"`, "no ordinary file"},
		"too much data":    {`"towns.csv"`, `"large.csv"`, "larger than the 64 MB"},
		"no hash":          {`"sha256":"`, `"sha256":"", "about":"`, `"sha256" must say`},
		"another hash":     {`"sha256":"4`, `"sha256":"5`, "is not the file"},
		"a step":           {`{"say":`, `{"step":"recode-x","say":`, `line 3: there is no method "recode-x"`},
		"a parameter":      {`{"say":`, `{"step":"pram","params":{"x":1},"say":`, "line 3:"},
		"a recoded name":   {`{"say":`, `{"step":"recode-intervals","params":{"variable":"height"},"say":`, "height"},
	} {
		t.Run(name, func(t *testing.T) {
			script, data := example(t)
			folder, elsewhere := filepath.Dir(data), filepath.Join(t.TempDir(), "elsewhere.csv")
			text, err := os.ReadFile(script)
			if err != nil {
				t.Fatal(err)
			}
			if name == "another hash" {
				c.from = string(regexp.MustCompile(`"sha256":"..`).Find(text))
				c.to = `"sha256":"` + map[bool]string{true: "00", false: "11"}[!strings.HasSuffix(c.from, "00")]
			}
			changed := strings.ReplaceAll(string(text), c.from, c.to)
			if c.from == "" {
				changed = ""
			}
			large := filepath.Join(folder, "large.csv")
			if err := errors.Join(os.WriteFile(script, []byte(changed), 0o600), os.Mkdir(filepath.Join(folder, "folder"), 0o700),
				os.WriteFile(elsewhere, []byte("a\n1\n"), 0o600), os.WriteFile(large, nil, 0o600),
				os.Truncate(large, mostData+1)); err != nil {
				t.Fatal(err)
			}
			if name == "a link out" {
				if err := os.Symlink(elsewhere, filepath.Join(folder, "link.csv")); err != nil {
					t.Skip("no links here:", err)
				}
			}
			l, err := Find(script)
			if err == nil {
				_, err = l.Open(t.Context(), nil)
			}
			if !errors.Is(err, ErrLesson) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	for _, path := range []string{"none.jsonl", t.TempDir() + "/.jsonl", os.DevNull + ".jsonl"} {
		if _, err := Find(path); !errors.Is(err, ErrLesson) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// No script makes the reader panic, and one that is read has parts that do something.
func FuzzRead(f *testing.F) {
	for _, name := range order {
		text, err := scripts.ReadFile("lessons/" + name + ".jsonl")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("null\nnull\nnull"))
	f.Add([]byte(`{"lesson":"a","title":null,"data":"../x"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := Read(text)
		if err != nil {
			if !errors.Is(err, ErrLesson) {
				t.Errorf("%v", err)
			}
			return
		}
		for i := range l.Parts {
			if l.Parts[i].Text() == "" {
				t.Errorf("part %d does nothing", i)
			}
		}
	})
}
