// Package job runs background work of the screen, one Piece at a time. A piece captures values and touches nothing
// of the program; the function that it returns is called in the program's own turn, or dropped if a newer piece
// has begun.
package job
