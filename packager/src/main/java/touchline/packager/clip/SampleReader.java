package touchline.packager.clip;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import touchline.media.AccessUnit;
import touchline.media.Track;

/** Reads the bytes of stored samples, keeping the last file open. One thread. */
final class SampleReader implements AutoCloseable {
    private @Nullable Path path;
    private @Nullable FileChannel file;

    /** The sample as it was packaged. */
    AccessUnit unit(Track track, StoredSample sample) throws IOException {
        return new AccessUnit(
                track,
                sample.dtsTicks(),
                sample.compositionOffsetTicks(),
                sample.sync(),
                payload(sample));
    }

    private MemorySegment payload(StoredSample sample) throws IOException {
        FileChannel source = open(sample.file());
        ByteBuffer bytes = ByteBuffer.allocate(sample.sizeBytes());
        while (bytes.hasRemaining()) {
            if (source.read(bytes, sample.position() + bytes.position()) < 0) {
                throw new IOException("stored media ends at " + sample.position());
            }
        }
        return MemorySegment.ofArray(bytes.array()).asReadOnly();
    }

    private FileChannel open(Path wanted) throws IOException {
        FileChannel current = file;
        if (current == null || !wanted.equals(path)) {
            close();
            current = FileChannel.open(wanted, StandardOpenOption.READ);
            file = current;
            path = wanted;
        }
        return current;
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
