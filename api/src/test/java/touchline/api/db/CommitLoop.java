package touchline.api.db;

import java.nio.file.Path;
import java.util.Optional;
import touchline.api.domain.StreamDefinition;
import touchline.config.DatabaseConfig;

/**
 * Reserves numbers of several streams at once and prints a stream and the end of its block once the
 * block is committed, until it is killed.
 */
final class CommitLoop {
    private CommitLoop() {}

    /**
     * @param arguments folder, number of streams, each with a thread of its own
     */
    public static void main(String[] arguments) {
        int streams = Integer.parseInt(arguments[1]);
        DatabaseConfig config =
                new DatabaseConfig(
                        Optional.empty(), Optional.empty(), Optional.empty(), 1 + streams);
        Database database = Database.open(config, Path.of(arguments[0]));
        MediaSequences sequences = new MediaSequences(database);
        for (int i = 0; i < streams; i++) {
            StreamDefinition stream = Samples.stream();
            new StreamRepository(database, Samples.vault()).create(stream);
            Thread.ofPlatform().start(() -> reserve(sequences, stream));
        }
    }

    private static void reserve(MediaSequences sequences, StreamDefinition stream) {
        while (true) {
            long end = sequences.reserve(stream.id(), 10).orElseThrow().end();
            System.out.println(">" + stream.id() + " " + end);
        }
    }
}
