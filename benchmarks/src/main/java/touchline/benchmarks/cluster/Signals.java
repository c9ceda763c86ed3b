package touchline.benchmarks.cluster;

import java.io.IOException;
import touchline.benchmarks.load.Command;

/** Signals that the JVM does not send. Stateless. */
final class Signals {
    private Signals() {}

    /** The process does not run until {@link #resume}. */
    static void stop(ProcessHandle process) throws IOException, InterruptedException {
        send("STOP", process);
    }

    static void resume(ProcessHandle process) throws IOException, InterruptedException {
        send("CONT", process);
    }

    /** A process that has ended is left alone. */
    private static void send(String name, ProcessHandle process)
            throws IOException, InterruptedException {
        Command.run(Command.words("kill -%s %d", name, process.pid()));
    }
}
