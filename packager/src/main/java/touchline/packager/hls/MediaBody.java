package touchline.packager.hls;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The bytes of an init segment, part or segment, where they lie. The holder closes it. */
public sealed interface MediaBody extends AutoCloseable {
    long sizeBytes();

    @Override
    void close();

    /** In memory, in order; each block carries a reference that {@link #close} gives back. */
    record Blocks(List<MediaBlock> blocks) implements MediaBody {
        public Blocks {
            blocks = List.copyOf(blocks);
        }

        @Override
        public long sizeBytes() {
            long sum = 0;
            for (MediaBlock block : blocks) {
                sum += block.sizeBytes();
            }
            return sum;
        }

        @Override
        public void close() {
            blocks.forEach(MediaBlock::release);
        }
    }

    /** On disk: goes out by sendfile. */
    record FileRange(Path file, long offsetBytes, long sizeBytes) implements MediaBody {
        @Override
        public void close() {}
    }

    /** A file's bytes, then what it does not have yet. */
    record PartlyStored(FileRange stored, Blocks rest) implements MediaBody {
        @Override
        public long sizeBytes() {
            return stored.sizeBytes() + rest.sizeBytes();
        }

        @Override
        public void close() {
            rest.close();
        }
    }

    /**
     * At another server: fetched while it is sent.
     *
     * @param source of its bytes
     */
    record Fetched(long sizeBytes, Source source) implements MediaBody {
        /** Port: gets bytes of it. */
        @FunctionalInterface
        public interface Source {
            /**
             * A range, with references of the caller; fails where it cannot be fetched. Returns at
             * once.
             *
             * @param last the last byte, included
             */
            CompletionStage<Blocks> bytes(long first, long last);
        }

        @Override
        public void close() {}
    }

    /**
     * In several files, one after the other.
     *
     * @param arrival of files that are not on the disk yet
     */
    record FileSequence(List<FileRange> files, Arrival arrival) implements MediaBody {
        /** Port: brings files to the disk. Any thread. */
        @FunctionalInterface
        public interface Arrival {
            /** All are there. */
            Arrival NONE = CompletableFuture::completedFuture;

            /** Done when the file is there; fails where it cannot be had. Returns at once. */
            CompletableFuture<Path> of(Path file);
        }

        public FileSequence {
            files = List.copyOf(files);
        }

        /** All on the disk. */
        public FileSequence(List<FileRange> files) {
            this(files, Arrival.NONE);
        }

        @Override
        public long sizeBytes() {
            long sum = 0;
            for (FileRange file : files) {
                sum += file.sizeBytes();
            }
            return sum;
        }

        @Override
        public void close() {}
    }
}
