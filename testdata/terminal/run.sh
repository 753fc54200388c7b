#!/usr/bin/env bash
# Runs the real program in a terminal (tmux) and checks what the screen shows,
# how it ends, and what it leaves behind. Needs tmux and Go. Run from anywhere:
#
#   bash testdata/terminal/run.sh
#
# Prints N passed, N failed; the exit status is 0 only if nothing failed.
set -uo pipefail
cd "$(dirname "$0")/../.."

command -v tmux >/dev/null || { echo "run.sh: tmux is needed" >&2; exit 2; }
folder=$(mktemp -d)
terminals=0 passed=0 failed=0

# Every terminal has a server of its own, closed to the user's.
tm() { tmux -L "sdcdesk-test-$$-$terminals" -f /dev/null "$@"; }
cleanup() {
	tm kill-server 2>/dev/null
	sleep 0.3 # what was killed may still be writing
	rm -rf "$folder"
}
trap cleanup EXIT

ok() { passed=$((passed + 1)); echo "ok    $1"; }
fail() {
	failed=$((failed + 1))
	echo "FAIL  $1"
	screen | sed 's/^/      |/'
}
screen() { tm capture-pane -p -t s 2>/dev/null; }
keys() { tm send-keys -t s "$@"; }

# sees TEXT-OF-THE-CHECK REGEX: waits up to 30 seconds for the screen to match.
sees() {
	local i
	for ((i = 0; i < 300; i++)); do
		if screen | grep -Eq -- "$2"; then ok "$1"; return 0; fi
		sleep 0.1
	done
	fail "$1 (never saw /$2/)"
	return 1
}
# gone TEXT-OF-THE-CHECK REGEX: waits until nothing on the screen matches.
gone() {
	local i
	for ((i = 0; i < 300; i++)); do
		if ! screen | grep -Eq -- "$2"; then ok "$1"; return 0; fi
		sleep 0.1
	done
	fail "$1 (still /$2/)"
	return 1
}
# check TEXT-OF-THE-CHECK COMMAND...: the command succeeds.
check() {
	local title=$1
	shift
	if "$@"; then ok "$title"; else fail "$title"; fi
}
# open WIDTH HEIGHT COMMAND: runs a command in a shell of its own.
open() {
	tm kill-server 2>/dev/null
	terminals=$((terminals + 1))
	tm new-session -d -x "$1" -y "$2" -s s "env HOME='$folder' XDG_STATE_HOME='$folder/state' TERM=xterm-256color PS1='ready> ' bash --norc --noprofile"
	tm set -g status off >/dev/null
	tm set -sg escape-time 0 >/dev/null
	sees "a shell is ready" 'ready>' >/dev/null
	keys "cd '$folder'; clear" Enter
	keys "echo before; $3; echo \"[exit \$?]\"" Enter
}
# restored TITLE: the program has ended with status 0, the main screen is back,
# lines of before are there, and typed text is echoed.
restored() {
	sees "$1: exit status 0" '\[exit 0\]'
	sees "$1: the screen from before is back" '^before'
	keys "echo typed''again" Enter
	sees "$1: the terminal echoes and obeys" '^typedagain'
}
# ended: waits until the program on the survey has ended.
ended() {
	local i
	for ((i = 0; i < 100; i++)); do
		pgrep -f "^$program survey.csv" >/dev/null || return 0
		sleep 0.1
	done
	return 1
}
journals() { find "$folder/state" -name '*.jsonl' 2>/dev/null; }

go build -o "$folder/sdcdesk" . || exit 1
cp testdata/survey.csv "$folder/"
program="$folder/sdcdesk"
sum=$(sha256sum <"$folder/survey.csv")

echo "== a session on a file"
open 120 40 "$program survey.csv"
sees "the import page shows the records" 'Import survey.csv'
sees "columns are recognised" 'Arden +rural'
keys Enter
sees "the variables page follows" 'Variables · survey.csv · 5,000 records'
keys Down Down k Down k # region, urbrur
for _ in 1 2 3 4 5 6; do keys Down; done
keys k   # electcon or relat: whatever stands there is a key variable
keys k   # and is none again
sees "two key variables are chosen" 'scenario: 2 key variables'
keys a
sees "suggestions are accepted" 'household · 1 sensitive|weight · household'
keys Enter
sees "the workbench has figures" 'expected re-identifications +[0-9]'
sees "violators are counted" ' 3 +[0-9],[0-9]{3} +[0-9.]+ %'

echo "== screens of other sizes"
tm resize-window -t s -x 80 -y 24
sees "80x24 shows one pane under the risk line" 'k=2 [0-9,]+ +k=3 [0-9,]+ +k=5 [0-9,]+ +re-id\.'
tm resize-window -t s -x 20 -y 5
sees "20x5 shows violators" '[0-9],?[0-9]{3} +k?3[: ]'
sees "20x5 shows the way out" 'q quit'
tm resize-window -t s -x 200 -y 60
sees "200x60 shows all panes" '6 Steps'
tm resize-window -t s -x 120 -y 40

echo "== dialogs"
keys K
sees "the k-anonymity dialog says what it would need" 'lower bound|cells .*in .*records'
keys Escape
gone "esc closes it" 'suppression rule'
keys '?'
sees "help lists the keys" 'All panes'
keys Escape
gone "esc closes it" 'All panes'
keys ':'
sees "the palette opens" 'Commands'
keys z o o m Enter
gone "zoom is found by its name" '3 k-anonymity'
keys z
sees "and z leads back" '3 k-anonymity'
keys 1 g r
sees "the recode dialog opens" 'Recode region'
keys Down Space Down Space
sees "the what-if shows figures" 'now +after'
keys m
sees "the merge is a step" 'region · 7 categories'
keys Escape
gone "esc closes the dialog" 'Recode region'
sees "the step is in the history" '1 group region'
keys u
sees "undo leads to the original" '▸ +original data'
keys C-r
sees "redo leads back" '▸ ?1 group region'
keys e
sees "the export dialog opens" 'protected file'
sees "the check has ended" 'findings?,|nothing found'
leave() { # by the typed word, where something critical is found
	keys Enter
	sees "enter writes or asks" "type yes|$1"
	if screen | grep -q 'type yes'; then keys a g r e e d Enter A Enter y e s Enter; fi
}
leave 'written to'
sees "the protected file is written" 'written to'
check "the file is there" test -s "$folder/survey-protected.csv"
keys e Right
sees "a release is a folder" 'survey-release'
leave 'released with'
sees "the release is written" 'released with both reports'
for name in users/survey-protected.csv users/report.html internal/report.html internal/script.jsonl; do
	check "it has $name" test -s "$folder/survey-release/$name"
done

echo "== suspending and quitting"
keys C-z
sees "ctrl+z suspends" 'Stopped'
keys 'fg; echo "[exit $?]"' Enter
sees "fg goes on" '6 Steps'
keys q
restored "q"
check "one journal is kept" test "$(journals | wc -l)" = 1
check "only its owner can read it" test "$(stat -c %a "$(journals | head -1)" 2>/dev/null || stat -f %Lp "$(journals | head -1)")" = 600
check "the source is as it was" test "$(sha256sum <"$folder/survey.csv")" = "$sum"

echo "== going on where the session ended"
open 120 40 "$program survey.csv"
sees "the session is offered" '1 of 1 steps applied'
keys Enter
sees "its step stands" '▸ ?1 group region'
keys C-c
restored "ctrl+c"

echo "== a program that is killed"
open 120 40 "$program survey.csv"
sees "the session is offered again" '1 of 1 steps applied'
keys Enter
sees "its step stands again" '▸ ?1 group region'
keys u
sees "and is undone" '▸ +original data'
kill -9 "$(pgrep -f "^$program survey.csv")"
sleep 0.5
open 120 40 "$program survey.csv"
sees "what was undone before the kill is kept" '0 of 1 steps applied'
keys Escape
sees "esc leads to the start page" 'recent sessions'
keys q
restored "q on the start page"

echo "== a terminal that goes"
open 120 40 "(trap '' HUP; exec $program survey.csv)"
sees "the session is offered once more" '0 of 1 steps applied'
keys Enter
sees "its step is undone" '▸ +original data'
keys C-r
sees "and redone" '▸ ?1 group region'
tm kill-server
check "without a terminal the program ends, though it ignores the signal" ended
open 120 40 "$program survey.csv"
sees "what was done before is kept" '1 of 1 steps applied'
keys Escape
sees "esc leads to the start page again" 'recent sessions'
keys q
restored "q after that"

echo "== keys typed ahead"
open 120 40 "$program demo"
sees "the workbench is open" 'expected re-identifications +[0-9]'
tm send-keys -t s -N 5000 Down
keys C-c
restored "ctrl+c after 5,000 keys"

echo "== the demonstration"
open 80 24 "$program demo --theme none"
sees "figures are those of the survey" 'k=2 3,702 +k=3 4,443 +k=5 4,704 +re-id. 84.8'
keys q
restored "q in the demonstration"

echo "== categorical protection"
open 120 40 "$program demo --theme none"
sees "the workbench is there" 'expected re-identifications +[0-9]'
keys S
sees "recodes are suggested, that worth most under the cursor" '▸ +19.6 % .*age bands of 10'
sees "with what they would do" 're-id. 84.84 → 44.79'
keys Enter
gone "enter closes the suggestions" 'Recodes of one variable'
sees "and makes the recode" 'intervals age: 0-9'
keys K
sees "k-anonymity says what it needs" 'lower bound [0-9]'
keys Down Down Right
sees "a thorough search begins" 'searching|searched'
sees "and ends by itself" 'searched for'
keys Enter
sees "its step is made" 'k-anonymity k=3, thorough'
keys R
sees "records above a risk threshold are counted" 'records \([0-9.]+ %.*\) above the threshold'
keys Escape
gone "esc closes it" 'above the threshold'
keys P
sees "PRAM shows its matrix" 'from . to'
keys Enter
sees "after PRAM on a key variable risk does not apply" '[Nn]ot applicable'
keys u
gone "until it is undone" '[Nn]ot applicable'
keys ':'
keys M o n d r i a n Enter
sees "methods without a key are found by name" 'enter apply'
sees "with their name as title" 'Mondrian'
keys Escape
gone "esc closes it" 'enter apply'
keys q
restored "q after protection"

echo "== without a terminal"
check "demo prints the figures" bash -c "XDG_STATE_HOME='$folder/state' '$program' demo </dev/null | grep -q '4,443'"
XDG_STATE_HOME="$folder/state" "$program" "$folder/survey.csv" </dev/null >"$folder/out" 2>&1
check "a screen is refused with status 2" test $? = 2
check "and names what works" grep -q 'sdcdesk run' "$folder/out"

echo "$passed passed, $failed failed"
[[ $failed == 0 ]]
