package lesson

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sdcdesk/sdcdesk/engine/catalog"
	"github.com/sdcdesk/sdcdesk/engine/risk/linkage"
	"github.com/sdcdesk/sdcdesk/session"
)

// example writes the lesson of the manual and its data into a folder.
func example(t *testing.T) (script, data string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "teach.md"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for kind, name := range map[string]*string{"csv": &data, "json": &script} {
		text := regexp.MustCompile("(?s)```" + kind + "\n(.*?)```").FindSubmatch(page)
		if text == nil {
			t.Fatalf("docs/teach.md has no example of %s", kind)
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

// Errors of a lesson or its data are reported before it begins, with the line.
func TestOwnLessonsThatCannotBeTaken(t *testing.T) {
	for name, c := range map[string]struct{ from, to, want string }{
		"nothing":          {"", "", "empty"},
		"one line":         {"\n", " ", "line 1: there is text after the end"},
		"no parts":         {`{"say`, "\x00", "line 3: the line is not complete"},
		"a task":           {`"choose":`, `"guess":`, `line 5: lessons have no field "guess"`},
		"a measure":        {`"measure":"kanonymity"`, `"measure":"kanon"`, `line 4: unknown measure "kanon"`},
		"a method":         {`"with":["suppress"]`, `"with":["blank"]`, `line 6: unknown method "blank"`},
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
		"a link out":       {`"towns.csv"`, `"link.csv"`, "must not leave"},
		"no data":          {`"towns.csv"`, `"other.csv"`, "other.csv does not exist"},
		"a folder":         {`"towns.csv"`, `"folder"`, "not a regular file"},
		"too much data":    {`"towns.csv"`, `"large.csv"`, "exceeds the 64 MB"},
		"no hash":          {`"sha256":"`, `"sha256":"", "about":"`, `"sha256" must say`},
		"parameters":       {`,"data":`, `,"params":{"linkage":{}},"data":`, `parameters of "linkage", which is not among`},
		"a file, no hash":  {`,"data":`, `,"files":{"bank.csv":"x"},"data":`, `"bank.csv" is a file of yours`},
		"a file out":       {`,"data":`, `,"files":{"../bank.csv":"x"},"data":`, "must not leave"},
		"another hash":     {`"sha256":"4`, `"sha256":"5`, "is not the file"},
		"a step":           {`{"say":`, `{"step":"recode-x","say":`, `line 3: unknown method "recode-x"`},
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

// No script makes the reader panic, and every part of a valid one does something.
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

// A measure is activated with the parameters and the file of the lesson, and files with another hash are refused.
func TestMeasuresWithFiles(t *testing.T) {
	script, data := example(t)
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	persons := "id,age\n1,30\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(data), "bank.csv"), []byte(persons), 0o600); err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(persons)))
	for _, c := range []struct{ params, files, want string }{
		{`{"linkage":{"external":"bank.csv","em":true}}`, `{"bank.csv":"` + sum + `"}`, ""},
		{`{"linkage":{"external":"bank.csv"}}`, `{}`, `must be one of the "files"`},
		{`{"linkage":{"external":"bank.csv"}}`, `{"bank.csv":"` + strings.Repeat("0", 64) + `"}`, "its SHA-256 is " + sum},
		{`{"linkage":{"external":"none.csv"}}`, `{"none.csv":"` + sum + `"}`, "none.csv does not exist"},
		{`{"linkage":{"outside":"bank.csv"}}`, `{}`, "outside"},
		{`{"linkage":7}`, `{}`, `they are written as {"name"`},
	} {
		head := `,"measures":["linkage"],"params":` + c.params + `,"files":` + c.files + `,"data":`
		l, err := Read([]byte(strings.Replace(string(text), `,"data":`, head, 1)))
		if err != nil {
			t.Fatal(c, err)
		}
		l.folder = filepath.Dir(script)
		opened, err := l.Opened()
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrLesson) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil || len(opened) != 1 {
			t.Fatal(opened, err)
		}
		spec, _ := catalog.Measures().Find("linkage")
		m, err := session.DecodeMeasure(spec, opened[0].Params)
		if err != nil || m.(*linkage.Linkage).External != persons || !m.(*linkage.Linkage).EM {
			t.Errorf("%+v, %v", m, err)
		}
	}
}

// The files of the built-in lessons have the stated hashes.
func TestFilesOfTheProgram(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, l := range all {
		for path, sum := range l.Files {
			text, err := l.content(path, sum)
			if is := fmt.Sprintf("%x", sha256.Sum256(text)); err != nil || is != sum {
				t.Errorf("%s of %s is %s: %v", path, l.Name, is, err)
			}
			found++
		}
	}
	if found == 0 {
		t.Error("no lesson has a file")
	}
}
