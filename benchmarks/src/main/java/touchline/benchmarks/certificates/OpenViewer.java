package touchline.benchmarks.certificates;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** One TLS connection that asks for a playlist again and again, and never connects anew. */
final class OpenViewer implements Runnable {
    private static final int PATIENCE_MS = 30_000;

    /** Mean time between two requests. */
    private static final long PAUSE_MS = 2_000;

    private final SSLSocket socket;
    private final byte[] request;
    private final LongAdder answers;
    private volatile String lost = "";
    private volatile boolean stopped;

    private OpenViewer(SSLSocket socket, byte[] request, LongAdder answers) {
        this.socket = socket;
        this.request = request;
        this.answers = answers;
    }

    /**
     * Connects; by the default context of this JVM.
     *
     * @param answers counts complete answers with status 200
     */
    static OpenViewer open(int port, String target, LongAdder answers) throws IOException {
        SSLSocket socket =
                (SSLSocket) SSLSocketFactory.getDefault().createSocket("localhost", port);
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
        socket.startHandshake();
        String head = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
        return new OpenViewer(socket, head.getBytes(StandardCharsets.US_ASCII), answers);
    }

    @Override
    public void run() {
        try {
            while (!stopped) {
                socket.getOutputStream().write(request);
                readAnswer(socket.getInputStream());
                answers.increment();
                TimeUnit.MILLISECONDS.sleep(ThreadLocalRandom.current().nextLong(2 * PAUSE_MS));
            }
        } catch (IOException e) {
            if (!stopped) {
                lost = String.valueOf(e.getMessage());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** The reason why it ended; empty while the connection is open. */
    String lost() {
        return lost;
    }

    void stop() throws IOException {
        stopped = true;
        socket.close();
    }

    private static void readAnswer(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder(512);
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int read = in.read();
            if (read < 0) {
                throw new EOFException("closed by the server");
            }
            head.append((char) read);
        }
        if (!head.toString().startsWith("HTTP/1.1 200 ")) {
            throw new IOException(head.substring(0, head.indexOf("\r")));
        }
        int bytes = 0;
        for (String line : head.toString().split("\r\n", -1)) {
            if (line.startsWith("content-length: ")) {
                bytes = Integer.parseInt(line.substring("content-length: ".length()));
            }
        }
        if (in.readNBytes(bytes).length < bytes) {
            throw new EOFException("closed by the server in an answer");
        }
    }
}
