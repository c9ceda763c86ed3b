package touchline.media.concurrent;

import java.util.Map;
import org.slf4j.MDC;

/**
 * What every line of a thread's log is about: a stream, a session, a call of the API. SLF4J keeps
 * it per thread and no thread inherits it, so threads are started with tasks of these methods. Any
 * thread.
 */
public final class LogContext {
    /** Key of the stream's id. */
    public static final String STREAM = "stream";

    /** Key of the session's id. */
    public static final String SESSION = "session";

    /** Key of the id of a call of the API. */
    public static final String REQUEST_ID = "request_id";

    private LogContext() {}

    /** The task, with lines about a session. */
    public static Runnable session(Object stream, Object session, Runnable task) {
        return with(Map.of(STREAM, stream.toString(), SESSION, session.toString()), task);
    }

    /** The task, with lines about a session whose stream is that of the calling thread. */
    public static Runnable ofSession(Object session, Runnable task) {
        String stream = MDC.get(STREAM);
        return stream == null
                ? with(Map.of(SESSION, session.toString()), task)
                : session(stream, session, task);
    }

    /** The task, with lines about a stream. */
    public static Runnable stream(Object stream, Runnable task) {
        return with(Map.of(STREAM, stream.toString()), task);
    }

    /** The task, with what the lines of the calling thread are about now. */
    public static Runnable carried(Runnable task) {
        Map<String, String> context = MDC.getCopyOfContextMap();
        return context == null || context.isEmpty() ? task : with(Map.copyOf(context), task);
    }

    private static Runnable with(Map<String, String> context, Runnable task) {
        return () -> {
            Map<String, String> before = MDC.getCopyOfContextMap();
            MDC.setContextMap(context);
            try {
                task.run();
            } finally {
                if (before == null) {
                    MDC.clear();
                } else {
                    MDC.setContextMap(before);
                }
            }
        };
    }
}
