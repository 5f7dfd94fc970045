/** Field by label, what is put into it, and what the form then says at that field. */
type Mistake = [label: string, value: string, words: string]

const long = (count: number) => 'x'.repeat(count)

/** One value for each sentence of a form; the form that links files has no text fields. */
export const mistakes: Record<string, Mistake[]> = {
  login: [
    ['Username', '', 'Enter your username'],
    ['Password', '', 'Enter your password'],
  ],
  registration: [
    ['Username', '', 'Enter a username'],
    ['Username', '<b>maya</b>', 'Use 3 to 32 letters, digits, _ or -'],
    ['Email', '', 'Enter an email address'],
    ['Email', 'maya at home', 'Enter a valid email address'],
    ['Email', `${long(250)}@example.com`, 'That email address is too long'],
    ['Password', '12345', 'Password must be at least 6 characters'],
    ['Password', long(257), 'Password must be at most 256 characters'],
    ['Confirm password', 'another', 'Passwords do not match'],
  ],
  'password change': [
    ['Current password', '', 'Enter your current password'],
    ['New password', '12345', 'Password must be at least 6 characters'],
    ['New password', long(257), 'Password must be at most 256 characters'],
    ['Repeat the new password', 'another', 'Passwords do not match'],
  ],
  'create project': [
    ['Title', '   ', 'Give the project a title'],
    ['Title', long(121), 'Use at most 120 characters'],
  ],
  'edit project': [
    ['Title', ' ', 'Give the project a title'],
    ['Short description', long(101), 'Short description can have at most 100 characters'],
    ['Description', long(20_001), 'Use at most 20000 characters'],
    ['Website', 'javascript:alert(1)', 'Start the address with http:// or https://'],
  ],
  'new post': [['New post', long(5001), 'A post can have at most 5000 characters']],
  'add collaborator': [
    ['Username or email', '   ', 'Enter a username or an email address'],
    ['Username or email', '<img src=x onerror=alert(1)>', 'User not found'],
  ],
  'create API key': [
    ['Name', '   ', 'Give the key a name'],
    ['Name', long(101), 'Use at most 100 characters'],
    ['Expires after in days', '0', 'Use at least 1 day'],
    ['Expires after in days', '36501', 'Use at most 36500 days'],
  ],
}
