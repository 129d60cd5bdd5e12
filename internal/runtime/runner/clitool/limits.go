package clitool

// tailBytes is how much of the end of a stream a failure's message repeats: 2 KiB (skills
// specification, 3.8).
const tailBytes = 2 << 10
