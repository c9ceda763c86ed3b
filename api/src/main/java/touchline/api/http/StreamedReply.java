package touchline.api.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** A reply that may last: each write has its own deadline. One thread. */
final class StreamedReply extends FilterOutputStream {
    private final ApiConnection.Step step;

    StreamedReply(OutputStream out, ApiConnection.Step step) {
        super(out);
        this.step = step;
        step.pause();
    }

    @Override
    public void write(int value) throws IOException {
        within(() -> out.write(value));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        within(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        within(out::flush);
    }

    @Override
    public void close() throws IOException {
        within(out::close);
    }

    private void within(Writing writing) throws IOException {
        step.renew();
        try {
            writing.write();
        } finally {
            step.pause();
        }
    }

    @FunctionalInterface
    private interface Writing {
        void write() throws IOException;
    }
}
