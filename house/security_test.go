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

// claim is what SECURITY.md says the program does, with the tests that fail where it does otherwise.
type claim struct {
	says string
	by   []string // "folder.Test"; none: nothing that a program can check, see why
	why  string
}

// claims are all sentences of SECURITY.md under its first three headings, in their order.
var claims = []claim{
	{says: "`sdcdesk where` lists the sessions and the unfinished exports that it left on a machine, and removes them.",
		by: []string{"cli.TestWhereListsAndRemoves"}},
	{says: "the protected file | where it was written, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "what the steps left in it: see what the check finds ([release](docs/release.md)).", why: "names a page"},
	{says: "Its labels, the names of its categories and a codebook come from the source, also those of categories that nobody has any more.",
		by: []string{"cli.TestLabelsOfTheSourceAreReleased"}},
	{says: "Notes, documents and the label of the data set are in it only if somebody kept them (`--keep-notes`).",
		by: []string{"session.TestNotesThatIdentify", "tui.TestExportKeepsNotes"}},
	{says: "the user report | where it was written, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "no seed, threshold or other parameter, no path, no count of 1 to 9 records, and no count from which such a count follows ([reports](docs/reports.md))",
		by: []string{"session.TestUsersLearnNothingThatIsHidden", "session.TestNoSmallCountFollowsFromTheFile"}},
	{says: "the internal report | where it was written, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "path and hash of the source, every step with its parameters, counts of categories however small, risks: enough to identify who is at risk. Keep it inside.",
		by: []string{"session.TestReportBeginsWithTheDecision", "session.TestReportHasRecodes"}},
	{says: "the script | where it was written, mode 0600", by: []string{"cli.TestEverythingWrittenIsPrivate"}},
	{says: "every step with its parameters: breaks, names of categories, numbers of records if a step was given some.", by: []string{"session.TestJournalIsAScript"}},
	{says: "Seeds only if you ask for them, and in the part of a release that stays inside: with the seeds and the protected file, an intruder can undo the perturbation.",
		by: []string{"session.TestExportedScriptGivesTheSameData", "cli.TestSeedsStayInside"}},
	{says: "a bundle | its folder, mode 0700, its files 0600", by: []string{"cli.TestEverythingWrittenIsPrivate", "session/bundle.TestBundleHasTwoParts"}},
	{says: "the part `outside` is for users; the part `inside` has the script with its seeds, the internal report, and who accepted which critical finding and why, as it was typed",
		by: []string{"session/bundle.TestOutsideHoldsNothingOfTheInside", "session/bundle.TestGraveFindingsAreRefused"}},
	{says: "the session | `$XDG_STATE_HOME/sdcdesk`, `~/.local/state/sdcdesk`, or where `--session` says; folder 0700, file 0600",
		by: []string{"session.TestJournalIsForItsOwnerOnly", "tui.TestNamedSessionIsMade"}},
	{says: "path, size, time and hash of the source (of a table its address without a password, and the number of its records), the scenario, " +
		"every step with its parameters and seeds, its title, effect and warnings, counts of cells by variable, violators after each step, active measures, and the options of the export dialog " +
		"with the paths and names that were typed there.", by: []string{"session.TestJournalBringsEverythingBack", "session.TestExportSettingsAreKept", "tui.TestPasswordIsTyped"}},
	{says: "No record, no count of a single category unless the effect of a step is one (\"71 cells set to missing\"), no list of records unless a step was given one.",
		by: []string{"session.TestJournalHoldsNoRecords", "session.TestJournalHoldsNoCountOfACategory"}},
	{says: "The hash confirms a guess of the whole file.", why: "what a hash is"},
	{says: "copy of a damaged session | beside it, `.damaged`, mode 0600 | the same", by: []string{"session.TestJournalWithDamageIsContinuedBeforeIt"}},
	{says: "scratch files | the folder of `--scratch`, or the one that was agreed to on the page Import | the records, while the program runs. The files have mode 0600 and, except on Windows, no name: nothing is left when the program ends, in whatever way.",
		by: []string{"engine/base/store.TestFilesHaveNoName", "engine/base/store.TestKilledProgram", "cli.TestRunInScratchSpace", "tui.TestScratchSpaceIsProposed"}},
	{says: "an unfinished export | `.sdcdesk-….tmp` beside its place; of a release the folder `.….unreleased` | all or some of the records to be released. It is removed when the export ends, fails or is cancelled.",
		by: []string{"session.TestCancelledRunLeavesNothingBehind", "session.TestRunErrorsLeaveNothingBehind", "session/bundle.TestKilledRelease"}},
	{says: "SIGHUP, SIGINT and SIGTERM cancel it; the screen waits up to 3 seconds for that.", by: []string{"cli.TestSignalsLeaveNothing", "cli.TestInterruptedCommands"}},
	{says: "What a killed program left is removed when the next one starts in that folder, on a file there, or on the start page with a recent session there; by the next export there; and by `sdcdesk where --remove`.",
		by: []string{"tui.TestLeftoversAreFoundAtTheStart", "engine/files/fileio.TestStageRemovesWhatKilledProgramsLeft", "cli.TestWhereListsAndRemoves"}},
	{says: "the workbench draws on the alternate screen, which has no scrollback and is gone at the end; a multiplexer or a recording may keep it. The name of the file is in the title of the window.",
		by: []string{"tui.TestScreenIsGoneAtTheEnd"}},
	{says: "What other commands print is in the scrollback: figures, names of variables and categories, small counts, and the smallest and largest weight; other values of records only from `sdcdesk compare --values`.",
		by: []string{"cli.TestCommandsPrintNoValues"}},
	{says: "a cell or a record that `y` or `Y` copied, after you agreed once in each session", by: []string{"tui.TestCopyingAsksOnce"}},
	{says: "names of files, variables and categories, numbers of lines and records, codes in the file that look as if they meant missing.", by: []string{"cli.TestCommandsPrintNoValues"}},
	{says: "Of a crash, and after SIGQUIT or SIGABRT, the calls; no argument, number or text.",
		by: []string{"engine/base/crash.TestReportsHoldNoValues", "engine/base/crash.TestCallsHaveNoArguments", "cli.TestSignalsLeaveNothing"}},
	{says: "Only a fault of the Go runtime itself (no memory left, a stack that overflows) prints machine words of calls; GOTRACEBACK=none turns that off.", why: "what Go does"},
	{says: "No password of anything that looks like an address.", by: []string{"engine/files/database.TestRedacted", "cli.TestPasswordIsAskedFor"}},
	{says: "the command line | the list of processes, the history of the shell | paths, conditions and labels that were typed; a password in the address of a database", why: "what systems do"},
	{says: "statements with names of tables and columns, and labels of variables as comments. The records of a protected table follow their statement, and no statement has a value of a cell, so that servers log none; " +
		"errors of the server with values are not repeated", by: []string{"engine/files/database.TestServersLogNoValues", "engine/files/database.TestErrorsHaveNoValues"}},
	{says: "The source is opened for reading and never written or replaced.", by: []string{"cli.TestSourceIsNeverReplaced", "cli.TestEverythingWrittenIsPrivate"}},
	{says: "Nothing is sent anywhere but to a database whose address was given, and there only statements that read, and the protected table.", by: []string{"house.TestImportsGoOneWay"}},
	{says: "No other package of the program uses the network, and none starts another program; within tmux the library that draws asks `tmux info` for the colours of the terminal.",
		by: []string{"house.TestImportsGoOneWay", "house.TestWhoStartsPrograms"}},
	{says: "The clipboard is written, never read.", by: []string{"house.TestTheClipboardIsNeverRead"}},
	{says: "Nothing is written but what is exported, sessions, and what the table above names.", by: []string{"cli.TestEverythingWrittenIsPrivate", "house.TestHomeOfTheUserStaysEmpty"}},
	{says: "Datasets of earlier steps, candidates and figures are kept in memory only, except the records in scratch files; there are no settings, no list of recent files besides the sessions, no crash files.",
		by: []string{"cli.TestEverythingWrittenIsPrivate", "tui.TestNoTraceLeavesNothing"}},
	{says: "Every file that is exported has mode 0600 and gets its name when it is complete.", by: []string{"cli.TestEverythingWrittenIsPrivate", "engine/files/fileio.TestFilesOfKilledProgramsAreFound"}},
	{says: "With `--no-trace` nothing is written but what is exported: no session is kept, listed or continued, the header says that steps are not kept, and nothing goes to the clipboard, which other programs can keep. " +
		"The program asks before it discards steps.", by: []string{"tui.TestNoTraceLeavesNothing", "cli.TestNoTraceKeepsNoSession"}},
	{says: "Names, labels and texts of a file never act on the terminal, nor in HTML, Markdown or JSON.",
		by: []string{"cli.TestMessagesCannotHarmTheTerminal", "cli.TestJSONCannotHarmTheTerminal", "session.TestLabelsDoNotActInReports", "views/panes.TestPanesHaveExactlyTheirSize"}},
	{says: "`sdcdesk where --remove` removes files of the program only, asks first unless `--yes` is given, and removes no file that a running program uses.",
		by: []string{"cli.TestWhereListsAndRemoves", "cli.TestRemovingIsAgreed", "cli.TestWhereIsHarmless"}},
	{says: "That nobody can be identified in a protected file. The figures say how likely it is under their assumptions; the internal report lists what was not assessed.",
		by: []string{"session.TestReportSaysWhatWasNotAssessed"}},
	{says: "Protection from anybody who can read your files: the administrator, backups, copies of the disk. Removed files are not overwritten. The system can swap memory out; switch that off, or encrypt the disk.",
		why: "what is not promised"},
	{says: "The program forbids core dumps on Unix.", by: []string{"engine/base/crash.TestForbidCore"}},
	{says: "Modes of files on Windows, and on file systems that have none: there the folder protects them. Where a file system knows no locks an unfinished export counts as left after a day, and a session is not kept from a second program.",
		by: []string{"engine/files/fileio.TestStageRemovesWhatKilledProgramsLeft"}},
	{says: "Anything that other programs do with the terminal, its scrollback, its recordings or the clipboard.", why: "what is not promised"},
	{says: "That a session that was put elsewhere with `--session`, or an export that was killed in a folder that nobody opens any more, is found: `sdcdesk where --in FOLDER` looks there for exports.",
		by: []string{"cli.TestWhereListsAndRemoves"}},
}

// Every sentence of SECURITY.md about what the program does is here with the tests that hold it.
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
	for _, left := range []string{"# Security sdcdesk works on records of persons. This page lists what it leaves behind, who could learn what from it, " +
		"what is promised and what is not.", "## Who could learn what", "## What is promised", "## What is not promised",
		"what | where it is | what it reveals", "the screen | the terminal |", "the clipboard | the terminal, and every program that reads it |",
		"messages of errors and crashes | the terminal |", "a database that was named | its server, and its log |"} {
		page = strings.Replace(page, left, "", 1)
	}
	if rest := regexp.MustCompile(`[\w'(].*[\w')]`).FindString(page); rest != "" {
		t.Errorf("SECURITY.md says what no claim of this test has: %s", rest)
	}
}

// starting are the packages of others that could start a program, with what keeps the others from it.
var starting = map[string]string{
	"github.com/charmbracelet/colorprofile": "runs tmux info, within tmux",
	"charm.land/bubbletea/v2":               "starts what tea.Exec is given, which nobody calls",
	"github.com/atotto/clipboard":           "reads the clipboard by a command of text fields, which draw.TextField drops",
	"github.com/guptarohit/asciigraph":      "clears a Windows terminal by asciigraph.Clear, which nobody calls",
	"modernc.org/libc":                      "has system(), which SQLite does not call",
}

// The packages of others that could start a program are known.
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

// The program asks the terminal for nothing that somebody copied.
func TestTheClipboardIsNeverRead(t *testing.T) {
	calls(t, "tea.ReadClipboard", "tea.ReadPrimaryClipboard", "tea.ClipboardMsg")
}

// calls reports files of the program that have one of some names.
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
