/** What people call a live stream: its title, else its metadata, else its id. */
export function titleOf(stream) {
  return stream.title || stream.user_metadata || stream.id;
}
