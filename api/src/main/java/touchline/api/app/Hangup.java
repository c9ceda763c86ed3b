package touchline.api.app;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SIGHUP, which by default ends the JVM. The JDK handles signals in {@code sun.misc.Signal} (module
 * jdk.unsupported) only. javac warns of each direct use, with a warning that has no switch. So it
 * is called by reflection.
 */
final class Hangup {
    private static final Logger log = LoggerFactory.getLogger(Hangup.class);

    private Hangup() {}

    /**
     * Runs an action at each SIGHUP, on a thread of its own. Where the JVM has no such signal, or
     * leaves it to another program (nohup, -Xrs), the signal keeps its effect.
     *
     * @param action fails with a line of the log
     */
    static void handle(Runnable action) {
        InvocationHandler handler =
                (proxy, method, arguments) ->
                        switch (method.getName()) {
                            case "handle" -> {
                                safely(action);
                                yield null;
                            }
                            case "equals" -> false;
                            case "hashCode" -> System.identityHashCode(action);
                            default -> "SIGHUP: reload";
                        };
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> signalHandler = Class.forName("sun.misc.SignalHandler");
            signal.getMethod("handle", signal, signalHandler)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance("HUP"),
                            Proxy.newProxyInstance(
                                    Hangup.class.getClassLoader(),
                                    new Class<?>[] {signalHandler},
                                    handler));
        } catch (ReflectiveOperationException e) {
            log.warn("SIGHUP does not reload the configuration: {}", e.toString());
        }
    }

    private static void safely(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            log.error("the action at SIGHUP failed", e);
        }
    }
}
