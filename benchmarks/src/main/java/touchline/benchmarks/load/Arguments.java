package touchline.benchmarks.load;

import java.util.ArrayList;
import java.util.List;

/**
 * The arguments of a benchmark: {@code --options} with a value each, and the others by position.
 * Immutable.
 */
public final class Arguments {
    private final List<String> all;
    private final List<String> positional = new ArrayList<>();

    public Arguments(List<String> all) {
        this.all = List.copyOf(all);
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).startsWith("--")) {
                i++;
            } else {
                positional.add(all.get(i));
            }
        }
    }

    /**
     * @throws NumberFormatException the argument is not a number
     */
    public int number(int index, int otherwise) {
        return index < positional.size() ? Integer.parseInt(positional.get(index)) : otherwise;
    }

    public String text(int index, String otherwise) {
        return index < positional.size() ? positional.get(index) : otherwise;
    }

    /**
     * @param name with its dashes
     * @throws NumberFormatException the argument is not a number
     */
    public int option(String name, int otherwise) {
        String text = option(name, "");
        return text.isEmpty() ? otherwise : Integer.parseInt(text);
    }

    /**
     * @param name with its dashes
     */
    public String option(String name, String otherwise) {
        int at = all.indexOf(name);
        return at >= 0 && at + 1 < all.size() ? all.get(at + 1) : otherwise;
    }
}
