package house_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// claim is a statement of SECURITY.md with the tests that fail if it is not true.
type claim struct {
	says string
	by   []string // "folder.Test"; none: a program cannot check it, see why
	why  string
}

// claims are all sentences of SECURITY.md under its first three headings, in their order.
var claims = []claim{
	{says: "`sdcdesk where` lists and removes the sessions and unfinished exports on a machine.",
		by: []string{"cli.TestWhereListsAndRemoves"}},
	{says: "the protected file | where you write it, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "what the steps left in it: see the findings of the [checks](docs/checks.md).", why: "names a page"},
	{says: "Labels, category names and the codebook come from the original. They include categories that no longer occur.",
		by: []string{"cli.TestLabelsOfTheSourceAreReleased"}},
	{says: "Notes, documents and the dataset label are in it only with `--keep-notes`.",
		by: []string{"session.TestNotesThatIdentify", "tui.TestExportKeepsNotes"}},
	{says: "the user report | where you write it, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "the methods without parameters (except recoded categories and PRAM matrices), and the variables with at least ten changed cells. It has no seeds, risks, paths or small counts, and no count below ten can be inferred from it ([reports](docs/release.md#reports)).",
		by: []string{"session.TestUsersLearnNothingThatIsHidden", "session.TestNoSmallCountFollowsFromTheFile"}},
	{says: "the internal report | where you write it, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "path and hash of the original, steps with parameters, small counts, risks: enough to identify persons at risk. Keep it confidential.",
		by: []string{"session.TestReportBeginsWithTheDecision", "session.TestReportHasRecodes"}},
	{says: "the script | where you write it, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "steps with parameters: breaks, names of categories, and record numbers if you gave some.", by: []string{"session.TestJournalIsAScript"}},
	{says: "The script of a release contains seeds, other scripts only if you ask for them. With the seeds and the protected file, an intruder can undo the perturbation.",
		by: []string{"session.TestExportedScriptGivesTheSameData", "cli.TestSeedsStayInside"}},
	{says: "a release | its folder, mode 0700, its files 0600", by: []string{"cli.TestEverythingWrittenIsPrivate", "session/bundle.TestBundleHasTwoParts"}},
	{says: "the part `users` is for users. The part `internal` holds the script with its seeds, the internal report, and who accepted which critical finding and why.",
		by: []string{"session/bundle.TestOutsideHoldsNothingOfTheInside", "session/bundle.TestCriticalFindingsAreRefused"}},
	{says: "the session | `$XDG_STATE_HOME/sdcdesk`, `~/.local/state/sdcdesk`, or the file given with `--session`; folder 0700, file 0600",
		by: []string{"session.TestJournalIsForItsOwnerOnly", "tui.TestNamedSessionIsMade"}},
	{says: "path, size, time and hash of the original, or the address of a table without its password. It also holds the scenario, steps with parameters, seeds, effects and warnings, cell counts by variable, violators, active measures, and the options of the export dialog.", by: []string{"session.TestJournalBringsEverythingBack", "session.TestExportSettingsAreKept", "tui.TestPasswordIsTyped"}},
	{says: "It holds no record, no list of records unless you gave one, and no count of a category unless it is the effect of a step.",
		by: []string{"session.TestJournalHoldsNoRecords", "session.TestJournalHoldsNoCountOfACategory"}},
	{says: "With the hash, anyone who guesses the whole file can confirm the guess.", why: "what a hash is"},
	{says: "copy of a damaged session | next to it, `.damaged`, mode 0600 | the same", by: []string{"session.TestJournalWithDamageIsContinuedBeforeIt"}},
	{says: "scratch files | the folder of `--scratch` or of the Import page | the records, while the program runs. The files have mode 0600 and, except on Windows, no name. Nothing is left, however the program ends.",
		by: []string{"engine/base/store.TestFilesHaveNoName", "engine/base/store.TestKilledProgram", "cli.TestRunInScratchSpace", "tui.TestScratchSpaceIsProposed"}},
	{says: "an unfinished export | `.sdcdesk-….tmp` next to the exported file; for a release the folder `.….unreleased` | protected records. It is removed when the export ends, fails or is cancelled.",
		by: []string{"session.TestCancelledRunLeavesNothingBehind", "session.TestRunErrorsLeaveNothingBehind", "session/bundle.TestKilledRelease"}},
	{says: "SIGHUP, SIGINT and SIGTERM cancel it; the screen waits up to 3 seconds for that.", by: []string{"cli.TestSignalsLeaveNothing", "cli.TestInterruptedCommands"}},
	{says: "A killed program leaves it. The next `sdcdesk` that starts or exports there removes it, and so does `sdcdesk where --remove`.",
		by: []string{"tui.TestLeftoversAreFoundAtTheStart", "engine/files/fileio.TestStageRemovesWhatKilledProgramsLeft", "cli.TestWhereListsAndRemoves"}},
	{says: "the workbench uses the alternate screen, which has no scrollback; a multiplexer or a recording may keep it. The window title shows the name of the file.",
		by: []string{"tui.TestScreenIsGoneAtTheEnd"}},
	{says: "Other commands print figures, names of variables and categories, small counts, and the smallest and largest weight into the scrollback. Only `sdcdesk compare --values` prints other values of records.",
		by: []string{"cli.TestCommandsPrintNoValues"}},
	{says: "a cell or a record that you copy with `y` or `Y`; the program asks once in each session", by: []string{"tui.TestCopyingAsksOnce"}},
	{says: "names of files, variables and categories, line and record numbers, codes that look like missing-value codes.", by: []string{"cli.TestCommandsPrintNoValues"}},
	{says: "A crash, SIGQUIT or SIGABRT prints the call stack, without arguments, numbers or texts.",
		by: []string{"engine/base/crash.TestReportsHoldNoValues", "engine/base/crash.TestCallsHaveNoArguments", "cli.TestSignalsLeaveNothing"}},
	{says: "Only a fault of the Go runtime, such as exhausted memory, prints the call arguments as machine words; GOTRACEBACK=none turns that off.", why: "what Go does"},
	{says: "The messages never contain the password of an address.", by: []string{"engine/files/database.TestRedacted", "cli.TestPasswordIsAskedFor"}},
	{says: "the command line | the list of processes, the history of the shell | paths, conditions and labels that you type; a password in the address of a database", why: "what systems do"},
	{says: "statements with names of tables and columns, and labels of variables as comments. The records of a protected table are sent separately from the SQL statement. No statement holds a value of a cell, so servers log none. The program repeats no server error that holds values.", by: []string{"engine/files/database.TestServersLogNoValues", "engine/files/database.TestErrorsHaveNoValues"}},
	{says: "The original is opened for reading and never written or replaced.", by: []string{"cli.TestSourceIsNeverReplaced", "cli.TestEverythingWrittenIsPrivate"}},
	{says: "Data are sent only to a database whose address you give: queries, and the protected table.", by: []string{"house.TestImportsGoOneWay"}},
	{says: "Apart from database access, no package of the program uses the network, and none starts another program, except `tmux info` within tmux, for the colours of the terminal.",
		by: []string{"house.TestImportsGoOneWay", "house.TestWhoStartsPrograms"}},
	{says: "The clipboard is written, never read.", by: []string{"house.TestTheClipboardIsNeverRead"}},
	{says: "Nothing is written except exports, sessions, and the files in the table above.", by: []string{"cli.TestEverythingWrittenIsPrivate", "house.TestHomeOfTheUserStaysEmpty"}},
	{says: "Earlier datasets, candidates and figures stay in memory, or in scratch files. There are no settings, no crash files, and no list of recent files except the sessions.",
		by: []string{"cli.TestEverythingWrittenIsPrivate", "tui.TestNoTraceLeavesNothing"}},
	{says: "Every exported file has mode 0600 and gets its name when it is complete.", by: []string{"cli.TestEverythingWrittenIsPrivate", "engine/files/fileio.TestFilesOfKilledProgramsAreFound"}},
	{says: "With `--no-trace` nothing is written except exports and scratch files. No session is kept, listed or resumed, the header says so, and nothing goes to the clipboard. The program asks before it discards steps.", by: []string{"tui.TestNoTraceLeavesNothing", "cli.TestNoTraceKeepsNoSession"}},
	{says: "Names, labels and texts from a file are escaped: they cannot control the terminal, HTML, Markdown or JSON.",
		by: []string{"cli.TestMessagesCannotHarmTheTerminal", "cli.TestJSONCannotHarmTheTerminal", "session.TestLabelsDoNotActInReports", "views/panes.TestPanesHaveExactlyTheirSize"}},
	{says: "`sdcdesk where --remove` removes only files of the program, and none that a running program uses. It asks first unless you give `--yes`.",
		by: []string{"cli.TestWhereListsAndRemoves", "cli.TestRemovingIsAgreed", "cli.TestWhereIsHarmless"}},
	{says: "That nobody can be identified in a protected file. The figures estimate the probability under their assumptions; the internal report lists what was not assessed.",
		by: []string{"session.TestReportSaysWhatWasNotAssessed"}},
	{says: "Protection from anyone who can read your files: the administrator, backups, copies of the disk. Removed files are not overwritten. The system can swap memory out: disable swapping, or encrypt the disk.",
		why: "not guaranteed"},
	{says: "The program disables core dumps on Unix.", by: []string{"engine/base/crash.TestForbidCore"}},
	{says: "File modes on Windows and on file systems without modes: there, the permissions of the folder protect the files. Without file locks, an unfinished export counts as abandoned after a day, and two programs can open one session.",
		by: []string{"engine/files/fileio.TestStageRemovesWhatKilledProgramsLeft"}},
	{says: "What other programs do with the terminal, its scrollback, its recordings or the clipboard.", why: "not guaranteed"},
	{says: "That `where` finds a session kept with `--session`, or an unfinished export in a folder that you no longer use: `sdcdesk where --in FOLDER` looks there.",
		by: []string{"cli.TestWhereListsAndRemoves"}},
}

// Every sentence of SECURITY.md about the program is listed here with its tests.
func TestSecurityPageIsTested(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	page, _, _ := strings.Cut(strings.Join(strings.Fields(string(text)), " "), "## Reporting")
	for _, c := range claims {
		if !strings.Contains(page, c.says) {
			t.Errorf("SECURITY.md does not say any more: %s", c.says)
		}
		page = strings.Replace(page, c.says, "", 1)
		if (len(c.by) == 0) == (c.why == "") {
			t.Errorf("say which test holds it, or why none can: %s", c.says)
		}
		for _, name := range c.by {
			folder, test, _ := strings.Cut(name, ".")
			if !callsInTests(t, filepath.Join("..", folder), "func "+test+"(") {
				t.Errorf("%s is not there, and should hold: %s", name, c.says)
			}
		}
	}
	for _, left := range []string{"# Security The program works on records of persons. This page lists the files that it writes, what each reveals, and what the program guarantees.", "## What each file reveals", "## What the program guarantees", "## What the program does not guarantee",
		"what | where | what it reveals", "the screen | the terminal |", "the clipboard | the terminal, and programs that read it |",
		"error and crash messages | the terminal |", "a database | its server and log |"} {
		page = strings.Replace(page, left, "", 1)
	}
	if rest := regexp.MustCompile(`[\w'(].*[\w')]`).FindString(page); rest != "" {
		t.Errorf("SECURITY.md says what no claim of this test has: %s", rest)
	}
}

// starting are the third-party packages that could start a program, with the reason why they do not.
var starting = map[string]string{
	"github.com/charmbracelet/colorprofile": "runs tmux info, within tmux",
	"charm.land/bubbletea/v2":               "starts what tea.Exec is given, which nobody calls",
	"github.com/atotto/clipboard":           "reads the clipboard by a command of text fields, which draw.TextField drops",
	"github.com/guptarohit/asciigraph":      "clears a Windows terminal by asciigraph.Clear, which nobody calls",
	"modernc.org/libc":                      "has system(), which SQLite does not call",
}

// All third-party packages that could start a program are known.
func TestWhoStartsPrograms(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, ".")
	list.Dir = ".."
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); slices.Contains(fields[1:], "os/exec") {
			if found[fields[0]] = true; starting[fields[0]] == "" {
				t.Errorf("%s can start programs: say in SECURITY.md and here what it starts", fields[0])
			}
		}
	}
	for name := range starting {
		if !found[name] {
			t.Errorf("%s starts nothing any more", name)
		}
	}
	calls(t, "tea.Exec", "asciigraph.Clear", "textinput.Paste")
}

// The program never reads the clipboard.
func TestTheClipboardIsNeverRead(t *testing.T) {
	calls(t, "tea.ReadClipboard", "tea.ReadPrimaryClipboard", "tea.ClipboardMsg")
}

// calls reports files of the program that contain one of some names.
func calls(t *testing.T, names ...string) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		text, err := os.ReadFile(path)
		for _, name := range names {
			if strings.Contains(string(text), name) {
				t.Errorf("%s: %s", path, name)
			}
		}
		return err
	})
	if err != nil || seen < 100 {
		t.Errorf("%d files were read: %v", seen, err)
	}
}
