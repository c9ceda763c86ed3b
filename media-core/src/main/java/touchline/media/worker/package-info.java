/** The worker: a child process that decodes and encodes untrusted files, and its pipe. */
@NullMarked
package touchline.media.worker;

import org.jspecify.annotations.NullMarked;
