/** The worker: a child process that decodes and encodes untrusted files, and the pipe to it. */
@NullMarked
package touchline.media.worker;

import org.jspecify.annotations.NullMarked;
