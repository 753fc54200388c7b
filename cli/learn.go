package cli

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
	"github.com/sdcdesk/sdcdesk/lesson"
	"github.com/sdcdesk/sdcdesk/session"
	"github.com/sdcdesk/sdcdesk/views/draw"
)

const learnHelp = `Lists the short lessons on disclosure control, or opens one of them in the workbench. A
lesson explains, asks questions and sets exercises on a file: the ten records of the SDC
Practice Guide, or the demonstration survey. sdcdesk checks an exercise against the figures
of the session, so it accepts any solution that reaches them. C returns to the lesson.

To write a lesson, put a .jsonl file and its data into one folder. sdcdesk checks the lesson
when you open it; docs/teach.md describes the format.`

// newLearnCommand returns "sdcdesk learn".
func newLearnCommand(screen screenFlags) *cobra.Command {
	var printed bool
	cmd := &cobra.Command{
		Use:     "learn [LESSON | FILE.jsonl]",
		Short:   "Learn disclosure control in short lessons",
		Long:    learnHelp,
		Example: "  sdcdesk learn\n  sdcdesk learn k-anonymity\n  sdcdesk learn towns.jsonl\n  sdcdesk learn pram --print",
		Args:    takes(0, 1, "at most one lesson"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && printed:
				return badUsage("--print takes a lesson")
			case len(args) == 0:
				return listLessons(cmd)
			}
			if err := checkLesson(cmd.Context(), args[0]); err != nil {
				return usageError{err}
			}
			if printed {
				return printLesson(cmd, args[0])
			}
			options, err := screen.complete()
			if err != nil {
				return err
			}
			if !hasTerminal() {
				return badUsage("a lesson needs a terminal")
			}
			options.Lesson = args[0]
			return runScreen(cmd.Context(), cmd.OutOrStdout(), options)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return lesson.Names(), cobra.ShellCompDirectiveDefault
		},
	}
	screen.add(cmd)
	cmd.Flags().BoolVar(&printed, "print", false, "print the lesson with its answers instead of starting it")
	return cmd
}

// printLesson prints the texts of a lesson with its answers. Figures are computed only when a learner answers.
func printLesson(cmd *cobra.Command, name string) error {
	l, err := lesson.Find(name)
	if err != nil {
		return err
	}
	var page strings.Builder
	line := func(before, text string) {
		if text != "" {
			wrapped := ansi.Wordwrap(draw.Safe(text), helpWidth-4, "")
			fmt.Fprintf(&page, "%-4s%s\n", before, strings.ReplaceAll(wrapped, "\n", "\n    "))
		}
	}
	fmt.Fprintf(&page, "%s\n%s\n", draw.Safe(l.Title), draw.Safe(l.About))
	for i, part := range l.Parts {
		fmt.Fprintln(&page)
		line(fmt.Sprint(i+1, "."), cmp.Or(part.Say, part.Ask, part.Choose, part.Try))
		for _, answer := range part.Answers {
			line(map[bool]string{true: "  +", false: "  -"}[answer.Right], answer.Text+" "+answer.Because)
		}
		for _, wrong := range part.Wrong {
			line("  -", wrong.Because)
		}
		line("", part.Hint)
		line("", part.Because)
	}
	return show(cmd, false, nil, page.String())
}

// checkLesson returns an error if a lesson cannot be taken, including the file of a user's lesson.
func checkLesson(ctx context.Context, name string) error {
	l, err := lesson.Find(name)
	if err != nil || !l.Own() {
		return err
	}
	if _, err = l.Open(ctx, nil); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// listLessons lists the lessons with their summaries.
func listLessons(cmd *cobra.Command) error {
	all, err := lesson.All()
	if err != nil {
		return err
	}
	var page strings.Builder
	for _, l := range all {
		fmt.Fprintf(&page, "%-14s%s\n", l.Name, l.Title)
		for line := range strings.SplitSeq(ansi.Wordwrap(l.About, helpWidth-14, ""), "\n") {
			fmt.Fprintf(&page, "%-14s%s\n", "", line)
		}
	}
	page.WriteString("\n\"sdcdesk learn NAME\" starts one. In the workbench, C lists them.\n")
	return show(cmd, false, nil, page.String())
}

// learner returns a number that distinguishes the learners of a class, from the machine and the folder of
// sessions. It is the same whenever the program starts, and is not stored.
func learner() uint64 {
	machine, _ := os.Hostname()
	folder, _ := session.StateFolder()
	who := fnv.New64a()
	fmt.Fprint(who, machine, "\n", folder)
	return who.Sum64()
}

// openLesson opens the file of a lesson.
func (p *program) openLesson(ctx context.Context, l *lesson.Lesson, meter *progress.Meter) (session.Opening, error) {
	if l.Own() {
		return l.Open(ctx, meter)
	}
	if l.Data != "guide10" {
		opening, _, err := demonstration{survey: p.examples.Survey}.open(ctx, meter)
		return opening, err
	}
	read, report, err := fileio.ReadBytes(ctx, "ten records", p.examples.Guide, fileio.NewFormat(), meter)
	if err != nil {
		return session.Opening{}, err
	}
	return session.Opening{Source: session.NewDemonstration("ten records", report.Format), Data: read,
		Warnings: report.Warnings}, nil
}
