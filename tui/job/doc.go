// Package job runs work in the background of the screen, one piece at a time. A
// piece captures values and touches nothing of the program; what is to follow is
// carried out in the program's own turn, and dropped where a newer piece was begun.
package job
